"""Is it right, is it sound, and how sure are we."""
