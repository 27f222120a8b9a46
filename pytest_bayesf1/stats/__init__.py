"""The statistics: arrays in, arrays out. Nothing here touches a file, a clock or global random state."""
