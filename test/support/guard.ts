import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'

/** Removes a server and its folder when told to, or when this process is gone for whatever reason. */
export interface Guard {
  /** The process to end, or nothing to end. */
  watch(pid: number | undefined): void
  /** Resolves when the folder is removed. */
  release(): Promise<void>
}

// A test worker may be killed outright, and then no exit handler of its own runs. The kernel does close its pipes,
// so a shell that waits for the end of its input outlives every kind of death, and Ctrl-C, being in a session of its own.
const script = `
while read -r _; do :; done
if pid=$(cat "$1/guarded.pid" 2>/dev/null); then
  kill -s CONT "$pid" 2>/dev/null
  kill -s "$2" "$pid" 2>/dev/null
  tries=0
  while kill -0 "$pid" 2>/dev/null && [ $tries -lt 50 ]; do sleep 0.1; tries=$((tries + 1)); done
  kill -s KILL "$pid" 2>/dev/null
fi
rm -rf "$1" || { sleep 1; rm -rf "$1"; }
`

/** `signal` is the quickest end that leaves nothing behind outside the folder (shared memory, child processes). */
export function guard(folder: string, signal: 'KILL' | 'QUIT'): Guard {
  const note = join(folder, 'guarded.pid')
  const shell = spawn('/bin/sh', ['-c', script, 'stele-test-guard', folder, signal], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  letGo(shell)
  return {
    watch: pid => (pid === undefined ? rmSync(note, { force: true }) : writeFileSync(note, String(pid))),
    async release() {
      if (shell.exitCode !== null) return
      shell.ref()
      const done = once(shell, 'exit')
      shell.stdin?.end()
      await done
    },
  }
}

function letGo(child: ChildProcess): void {
  child.unref()
  if (child.stdin instanceof Socket) child.stdin.unref()
}
