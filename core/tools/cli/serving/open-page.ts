import { spawn } from 'node:child_process'

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  // The empty text is the title of the window that `start` would take an address for.
  win32: ['cmd', '/c', 'start', ''],
}

/** Opens an address in the browser of the person at the terminal; a machine without one is left as it is. */
export function openPage(url: string): void {
  const [program, ...args] = openers[process.platform] ?? ['xdg-open']
  const child = spawn(program, [...args, url], { detached: true, stdio: 'ignore' })
  child.on('error', () => undefined)
  child.unref()
}
