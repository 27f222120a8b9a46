"""Files of every format: what they hold, and one classifier's side of a comparison read from them."""
