"""A hub for a class on one machine: a name of one's own and one password for all, a JupyterLab for each.

The students share the machine's user and can read each other's files: good for an afternoon among people who
know each other. ``docker_config.py`` is the same hub with a container for each student.
"""

import os
from pathlib import Path

c = get_config()  # noqa: F821 (JupyterHub puts it there)

c.JupyterHub.bind_url = os.environ.get("HUB_URL", "http://127.0.0.1:8000")
c.JupyterHub.authenticator_class = "shared-password"
c.SharedPasswordAuthenticator.user_password = os.environ["CLASS_PASSWORD"]  # eight characters or more
c.Authenticator.allow_all = True

c.JupyterHub.spawner_class = "simple"
c.SimpleLocalProcessSpawner.home_dir_template = str(Path("homes", "{username}").absolute())
# The lessons lie in every student's folder; those that are there already stay as they are.
c.Spawner.cmd = ["sh", "-c", 'dlperf lessons lessons; exec jupyterhub-singleuser "$@"', "student"]
c.Spawner.default_url = "/lab/tree/lessons/00_start.ipynb"
c.Spawner.start_timeout = 120  # thirty students who log in at once wait for each other
c.Spawner.http_timeout = 120
c.Spawner.args = [
    # A slider is answered about 40 ms sooner.
    "--ServerApp.kernel_websocket_connection_class=dlperf_widgets.nodelay.NoDelayConnection",
    # Memory comes back from kernels that were not used for twenty minutes, even if their page is open, and
    # from servers that were not used for an hour. Both start again when they are asked for.
    "--MappingKernelManager.cull_idle_timeout=1200",
    "--MappingKernelManager.cull_connected=True",
    "--MappingKernelManager.cull_interval=60",
    "--ServerApp.shutdown_no_activity_timeout=3600",
]
