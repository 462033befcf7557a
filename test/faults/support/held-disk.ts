import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, renameSync, rmdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll } from 'vitest'

const run = promisify(execFile)

/** A file system of its own that can be made to stand still, or to lose what a power cut loses. */
export interface Disk {
  readonly folder: string
  /** Holds all writes for so many milliseconds: a process that writes or flushes sleeps in the system meanwhile. */
  hold(milliseconds: number): Promise<void>
  /** Writes everything to the disk. */
  flush(): Promise<void>
  /** From now on nothing reaches it any more, and what had not is lost, as if the power were gone; nobody may be at work in it. */
  cut(): Promise<void>
  /** Refuses everything from now on. Earlier writes are there. */
  fail(): Promise<void>
  /** Brings the disk back with the writes that had reached it; no process may use it meanwhile. */
  restore(): Promise<void>
}

/** Mounting requires root, and is not possible in every container. */
export const disksCanBeHeld = process.getuid?.() === 0 && existsSync('/dev/loop-control')

/**
 * Ends a file system: after it has written everything (0), or in the middle of what it does, without writing its own log
 * (2). A flush that is under way while that happens can succeed and be lost all the same, in about one of twenty times.
 */
const shutdown = `
import fcntl, os, struct, sys
FS_IOC_SHUTDOWN = 0x8004587d
fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), FS_IOC_SHUTDOWN, struct.pack('I', int(sys.argv[2])))
`

/** A disk for the tests of the surrounding suite. */
export function heldDisk(): Disk {
  let folder = ''
  let image = ''
  const mount = () => run('mount', ['-o', 'loop,noatime', image, folder])
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'stele-disk-'))
    image = `${folder}.img`
    writeFileSync(image, '')
    truncateSync(image, 512 * 1024 * 1024)
    await run('mkfs.ext4', ['-q', image])
    await mount()
    // The servers in it have accounts of their own.
    chmodSync(folder, 0o755)
  })
  afterAll(async () => {
    await run('umount', ['-l', folder])
    rmSync(image)
    rmdirSync(folder)
  })
  return {
    get folder() {
      return folder
    },
    async hold(milliseconds) {
      // A shell that thaws by itself: a test that is killed must not leave processes behind that nothing can end.
      const script = 'fsfreeze --freeze "$1" && sleep "$2"; fsfreeze --unfreeze "$1"'
      await run('/bin/sh', ['-c', script, 'hold', folder, String(milliseconds / 1000)])
    },
    async flush() {
      await run('sync', ['--file-system', folder])
    },
    async cut() {
      await run('python3', ['-c', shutdown, folder, '2'])
    },
    async fail() {
      await run('python3', ['-c', shutdown, folder, '0'])
    },
    async restore() {
      // A copy, as the system may not have let go of the first one yet, and would mount it again as it is.
      const reached = `${image}.reached`
      await run('cp', ['--sparse=always', image, reached])
      await run('umount', ['-l', folder])
      renameSync(reached, image)
      await mount()
    },
  }
}
