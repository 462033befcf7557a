import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** The first one has no windows: a page takes it a third of the time. */
const places = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  name => `/usr/bin/${name}`,
)

/** The browser of the machine; none is downloaded. */
const found = process.env.STELE_TEST_BROWSER ?? places.find(place => existsSync(place))

/** The reason why tests of pages are left out; undefined if they run. A missing browser under `CI=true` fails the run. */
export const noBrowser = found === undefined ? `there is no browser: ${places.join(', ')}` : undefined

if (noBrowser !== undefined) {
  if (process.env.CI === 'true') throw new Error(`a browser is required: ${noBrowser}`)
  console.warn(`\nSKIPPED: tests of pages: ${noBrowser} (apt-get install chromium)\n`)
}

/** `hosts` are names that lead to this machine. */
export const startBrowser = (...hosts: readonly string[]): Promise<Browser> =>
  chromium.launch({
    executablePath: found ?? '',
    // The sandbox is off, as a container has no user namespaces for it; the browser opens pages of this repository only.
    args: ['--no-sandbox', '--disable-gpu', ...rulesOf(hosts)],
  })

const rulesOf = (hosts: readonly string[]): readonly string[] =>
  hosts.length === 0 ? [] : [`--host-resolver-rules=${hosts.map(host => `MAP ${host} 127.0.0.1`).join(',')}`]
