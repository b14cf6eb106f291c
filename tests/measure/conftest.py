"""One thread for torch: where a machine is busy, several wait for each other longer than they work."""

import pytest


@pytest.fixture(autouse=True, scope="package")
def _one_thread():
    try:
        import torch
    except ImportError:
        yield
        return
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)
