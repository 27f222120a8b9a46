"""Spans of text, or of anything that has a beginning and an end: named entities, detections, extracted facts."""
