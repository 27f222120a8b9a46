"""What people read of results: functions that take a result and give text."""
