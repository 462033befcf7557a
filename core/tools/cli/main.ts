#!/usr/bin/env node
// Nothing is imported before the version is known: older ones fail while they link what the program imports.
const needed = [20, 19] as const
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major > needed[0] || (major === needed[0] && minor >= needed[1])) {
  const { limitGarbage, optimizeLate } = await import('./v8.js')
  optimizeLate()
  limitGarbage()
  const { wholeServer } = await import('../../packages/whole.js')
  const own = wholeServer()?.modules['core/tools/cli/run.js']?.() ?? (await import('./run.js'))
  const code = await (own as typeof import('./run.js')).runProcess()
  if (code !== 0) {
    process.exitCode = code
    // The channel to the supervisor would keep a worker alive.
    if (process.connected) process.exit()
  }
} else {
  process.stderr.write(
    `stele needs Node ${needed.join('.')} or newer, and this is Node ${process.versions.node}: install a newer one from https://nodejs.org\n`,
  )
  process.exitCode = 1
}

export {}
