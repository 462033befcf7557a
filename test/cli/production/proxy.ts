import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { freePort } from '../../support/free-port.js'
import { folderOf } from '../../support/terminal.js'
import { toolOf } from '../../support/tool.js'

export const nginx = toolOf('nginx', 'nginx-light')

export interface NginxProxy {
  readonly url: string
  /** A line for each request so far: its method, its status, and the statuses of all servers that were asked. */
  readonly lines: () => string[]
}

/** nginx with a site of the examples, in which the addresses of the servers are those of the test. */
export async function proxyOf(site: string, servers: Readonly<Record<string, number>>): Promise<NginxProxy> {
  const own = await freePort()
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(name => `${name}_temp_path ${name};`)
  const example = readFileSync(new URL(`../../../core/tools/cli/production/${site}`, import.meta.url), 'utf8')
  let here = example.replace('listen 80;', `listen 127.0.0.1:${own};`)
  for (const [address, port] of Object.entries(servers))
    here = here.replace(`server ${address}`, `server 127.0.0.1:${port}`)
  for (const port of [own, ...Object.values(servers)]) assert.ok(here.includes(`127.0.0.1:${port}`), here)
  const log = "log_format statuses '$request_method $status: $upstream_status'; access_log access.log statuses;"
  // A worker of nginx would be another user than root, who cannot keep a body in a folder of the test.
  const user = process.getuid?.() === 0 ? 'user root; ' : ''
  const folder = folderOf({
    'nginx.conf': `${user}error_log stderr; pid nginx.pid; worker_processes 1; events {}\nhttp { ${log} ${temporary.join(' ')}\n${here}}\n`,
  })
  const child = spawn(nginx ?? '', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-g', 'daemon off;'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr?.on('data', part => {
    said += part
  })
  onTestFinished(async () => {
    if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit')
  })
  const url = `http://127.0.0.1:${own}`
  const isUp = () =>
    fetch(`${url}/_health`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isUp())) {
    assert.equal(child.exitCode, null, said)
    await wait(20)
  }
  return { url, lines: () => readFileSync(join(folder, 'access.log'), 'utf8').split('\n').filter(Boolean) }
}
