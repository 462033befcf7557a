import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll } from 'vitest'

const run = promisify(execFile)

/** A file system of its own that can be made to stand still. */
export interface Disk {
  readonly folder: string
  /** Lets nothing be written for so many milliseconds: whoever writes or flushes sleeps in the system meanwhile. */
  hold(milliseconds: number): Promise<void>
}

/** Only root may mount, and not in every container. */
export const disksCanBeHeld = process.getuid?.() === 0 && existsSync('/dev/loop-control')

/** A disk for the tests of the surrounding suite. */
export function heldDisk(): Disk {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'stele-disk-'))
    const image = `${folder}.img`
    writeFileSync(image, '')
    truncateSync(image, 512 * 1024 * 1024)
    execFileSync('mkfs.ext4', ['-q', image])
    execFileSync('mount', ['-o', 'loop,noatime', image, folder])
    // It lives as long as it is mounted, and the servers in it have accounts of their own.
    rmSync(image)
    chmodSync(folder, 0o755)
  })
  afterAll(() => {
    execFileSync('umount', ['-l', folder])
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
  }
}
