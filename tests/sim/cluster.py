"""A Ray cluster of two machines, on this one, of which the second is lost in mid-run.

    python -m tests.sim.cluster FOLDER

Simulates into the folder. The second machine is killed while parts are under way on both.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

# A part takes so long that the second machine is lost in the middle of one.
PLAN: dict[str, Any] = {"players": 3, "bots": "search:200,policy", "seed": 4, "part": 10}
MATCHES = 160
SOON = {"health_check_period_ms": 1000, "health_check_failure_threshold": 5}  # noticed soon


def main(folder: Path) -> None:
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    import ray
    from ray.cluster_utils import Cluster

    import lastcard
    from lastcard.sim.simulation import Progress

    machines = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "_system_config": SOON})
    second = machines.add_node(num_cpus=1)
    machines.wait_for_nodes()
    ray.init(address=machines.address, log_to_driver=False, logging_level="error")

    def lose_one(progress: Progress) -> None:
        """Kills the second machine while both have parts under way."""
        if progress.done >= 30 and second in machines.worker_nodes:
            machines.remove_node(second, allow_graceful=False)

    lastcard.simulate("chiko", MATCHES, **PLAN, on="ray", out=folder, progress=lose_one)
    assert second not in machines.worker_nodes, "nothing was lost"
    while (left := sum(node["Alive"] for node in ray.nodes())) > 1:  # it may be noticed later
        time.sleep(0.1)
    print(left, "machine is left", flush=True)
    ray.shutdown()
    machines.shutdown()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
