"""A solver over HTTP: one process, one thread that computes, and a loop that talks to many clients."""

import os

# torch reads this when it is imported, so it stands here: a core is left for the loop. A user's own setting wins.
os.environ.setdefault("OMP_NUM_THREADS", str(max(1, (os.cpu_count() or 2) - 1)))
