import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The browser of the machine; none is downloaded. */
const found = process.env.STELE_TEST_BROWSER ?? places.find(place => existsSync(place))

/** The reason why tests of pages are left out; undefined if they run. A missing browser under `CI=true` fails the run. */
export const noBrowser = found === undefined ? `there is no browser: ${places.join(', ')}` : undefined

if (noBrowser !== undefined) {
  if (process.env.CI === 'true') throw new Error(`a browser is required: ${noBrowser}`)
  console.warn(`\nSKIPPED: tests of pages: ${noBrowser} (apt-get install chromium)\n`)
}

export const startBrowser = (): Promise<Browser> =>
  // The sandbox is off, as a container has no user namespaces for it; the browser opens pages of this repository only.
  chromium.launch({ executablePath: found ?? '', args: ['--no-sandbox', '--disable-gpu'] })
