"""Folders whose disk can be made full, and read-only, while a command uses them."""

import os
import pathlib
import resource
import shutil
import subprocess

LARGEST = 8 << 30


def own_mounts(arguments):
    """Starts the program again with mounts of its own, which end with it. Does nothing if that is
    forbidden."""
    if os.environ.get("SOAK_OWN_MOUNTS"):
        return
    namespace = ["unshare", "--mount"] + (["--map-root-user"] if os.geteuid() else [])
    place = "/tmp"
    trial = [*namespace, "mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", place]
    if shutil.which("unshare") is None or subprocess.run(trial, capture_output=True).returncode:
        print("no file system of its own: limits of file sizes stand for full disks", flush=True)
        return
    os.environ["SOAK_OWN_MOUNTS"] = "yes"
    os.execvp(namespace[0], [*namespace, *arguments])


class SmallDisk:
    """A file system in memory."""

    can_be_read_only = True

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir()
        self.mount(f"size={LARGEST}")

    def mount(self, options):
        # With its device, mount(8) adds no options that it finds elsewhere.
        return subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", self.folder],
                              check=True, capture_output=True)

    def fill(self, _):
        """No block is free any more; what is in use may change until it is measured again."""
        for _ in range(100):
            now = os.statvfs(self.folder)
            used = max(1, now.f_blocks - now.f_bfree) * now.f_frsize
            try:
                return self.mount(f"remount,size={used}")
            except subprocess.CalledProcessError:
                pass  # more is in use by now
        raise OSError(f"{self.folder} cannot be made full")

    def free(self, _):
        self.mount(f"remount,size={LARGEST}")

    def allow_writing(self, allowed):
        self.mount("remount,rw" if allowed else "remount,ro")

    def remove(self):
        subprocess.run(["umount", self.folder], check=True)
        self.folder.rmdir()


class PlainFolder:
    """On the disk that there is. To the command it is full while no file may grow."""

    can_be_read_only = False

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir()

    def fill(self, process):
        self.limit(process, 0)

    def free(self, process):
        self.limit(process, resource.RLIM_INFINITY)

    @staticmethod
    def limit(process, size):
        """Of files that this process writes; none is left once it has ended."""
        try:
            if process is not None:
                resource.prlimit(process, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
        except ProcessLookupError:
            pass

    def remove(self):
        shutil.rmtree(self.folder)


def make_place(folder, small_disk):
    own = small_disk and os.environ.get("SOAK_OWN_MOUNTS")
    return SmallDisk(folder) if own else PlainFolder(folder)
