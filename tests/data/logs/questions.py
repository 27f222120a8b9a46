"""The questions of the logs in this folder, which are made up, and what two systems answer."""

QUESTIONS = [
    ("Where is my parcel?", "shipping", "en"),
    ("I was charged twice.", "billing", "en"),
    ("The kettle leaks.", "returns", "en"),
    ("Mein Paket ist nicht da.", "shipping", "de"),
    ("Die Rechnung stimmt nicht.", "billing", "de"),
    ("Ich schicke den Toaster zurück.", "returns", "de"),
]
"""Each with the team that answers it, and its language."""

ANSWERS = {
    "first": ["shipping", "billing", "returns", "shipping", "billing", "billing"],
    "second": ["shipping", "returns", "returns", "I cannot tell", "billing", "billing"],
}
