#!/usr/bin/env node
// The command line. Older versions of Node.js fail while they link the server's imports, so the version is checked first.
import { existsSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'

const needed = [20, 19]
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const dist = new URL('../../../dist/', import.meta.url)
// A clone in which the compiler ran alone has its output and no bundle.
const program = ['bundle/core/tools/cli/run.js', 'core/tools/cli/run.js'].find(name => existsSync(new URL(name, dist)))

if (major < needed[0] || (major === needed[0] && minor < needed[1])) {
  end(
    `stele needs Node ${needed.join('.')} or newer, and this is Node ${process.versions.node}: install a newer one from https://nodejs.org`,
  )
} else if (program === undefined) {
  end('stele is not built: run `npm run build` first')
} else {
  // The cache is beside the code, and not in a folder that other accounts can write to: Node.js trusts its content.
  module.enableCompileCache?.(fileURLToPath(new URL('bundle/cache', dist)))
  const { runProcess } = await import(new URL(program, dist).href)
  const code = await runProcess()
  if (code !== 0) {
    process.exitCode = code
    // The channel to the supervisor would keep a worker alive.
    if (process.connected) process.exit()
  }
}

function end(sentence) {
  process.stderr.write(`${sentence}\n`)
  process.exitCode = 1
}
