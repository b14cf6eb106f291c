"""The hub of ``jupyterhub_config.py`` with a container for each student, whose files nobody else can read."""

c = get_config()  # noqa: F821 (JupyterHub puts it there)
load_subconfig("jupyterhub_config.py")  # noqa: F821 (so is this)

c.JupyterHub.spawner_class = "docker"
c.JupyterHub.hub_ip = "0.0.0.0"  # containers must reach the hub
c.DockerSpawner.image = "dlperf-class"
c.DockerSpawner.remove = True  # the files are in the volume
c.DockerSpawner.volumes = {"class-{username}": "/home/student"}
c.Spawner.mem_limit = "512M"  # a server, and a few explorers
c.Spawner.cpu_limit = 1.0
