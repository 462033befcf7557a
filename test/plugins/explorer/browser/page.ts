import { strict as assert } from 'node:assert'
import { spawnSync } from 'node:child_process'
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'

export interface WatchedPage {
  readonly page: Page
  /** Violations by a page: of its policy, requests to other servers, and errors. */
  readonly wrongs: string[]
}

// The page's script is text, as it knows other names than the code compiled here.
const reportViolations = `document.addEventListener('securitypolicyviolation', event =>
  reportViolation(event.violatedDirective + ': ' + event.blockedURI))`

/** A page that is watched from its first byte on. */
export async function openPage(
  browser: Browser,
  url: string,
  colorScheme: 'light' | 'dark' = 'light',
  viewport = { width: 1500, height: 950 },
): Promise<WatchedPage> {
  const context = await browser.newContext({ colorScheme, viewport })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const wrongs: string[] = []
  const { origin } = new URL(url)
  page.on('request', request => {
    if (new URL(request.url()).origin !== origin) wrongs.push(`asked ${request.url()}`)
  })
  page.on('pageerror', error => wrongs.push(`failed: ${error.message}`))
  page.on('console', message => {
    if (/Content Security Policy|TrustedHTML|TrustedScript/.test(message.text())) wrongs.push(message.text())
  })
  await page.exposeFunction('reportViolation', (directive: string) => wrongs.push(`broke ${directive}`))
  await page.addInitScript(reportViolations)
  await page.goto(url)
  return { page, wrongs }
}

/** Findings of axe on a page as it stands, one a line. */
export async function accessibilityOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations, passes } = await page.evaluate<Pick<axe.AxeResults, 'violations' | 'passes'>>(
    'axe.run(document, { resultTypes: ["violations"] })',
  )
  assert.ok(passes.length > 10, 'axe has looked at something')
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html.slice(0, 200)}`))
}

// biome-ignore lint/suspicious/noExplicitAny: the shape of an answer is what tests are about
export type Body = any

const pressSend = (page: Page) => page.locator('.line .button.primary').click()

/** Sends a form in spite of what it lacks. */
export const pressSendAnyway = async (page: Page): Promise<void> => {
  await pressSend(page)
  await page.getByRole('button', { name: 'Send it anyway' }).click()
}

/** Sends what is built; gives what was answered, and the status as the page shows it. */
export async function sent(
  page: Page,
  press = () => pressSend(page),
): Promise<{ readonly shown: string; readonly body: Body }> {
  const answered = page.waitForResponse(
    // Requests of pickers may come at any time, and are left out.
    response =>
      response.url().includes('/api/') &&
      !decodeURIComponent(response.url()).includes('[pageSize]=10&pagination[withCount]=false'),
  )
  await press()
  const response = await answered
  const shown = page.locator('.response-head .status')
  await shown.filter({ hasText: String(response.status()) }).waitFor()
  await until(page, 'document.querySelector(".response").ariaBusy === "false"')
  return { shown: ((await shown.textContent()) ?? '').trim(), body: await response.json() }
}

/** The response to a curl command, whose words a shell has split; the machine needs no curl. */
export async function curl(command: string): Promise<Body> {
  const { stdout } = spawnSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${command}`], { encoding: 'utf8' })
  const [option, ...words] = stdout.split('\0').slice(0, -1)
  assert.equal(option, '-g')
  let [method, url, body]: (string | undefined)[] = ['GET']
  const headers = new Headers()
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '-X') method = words.shift()
    else if (word === '-d') body = words.shift()
    else if (word === '-H') headers.set(...((words.shift() ?? '').split(': ') as [string, string]))
    else url = word
  }
  const response = await fetch(url ?? '', { method: method ?? '', headers, ...(body !== undefined && { body }) })
  return response.json()
}

/** Checks again with every frame: a condition polled by the browser itself would be evaluated by the page, whose policy forbids that. */
export async function until(page: Page, condition: string): Promise<void> {
  while (!(await page.evaluate(condition))) await page.evaluate('new Promise(requestAnimationFrame)')
}

/** Numbers everything on the page that can be used, and counts it. */
export const numberUsable = `(() => {
  const all = document.querySelectorAll('button, a[href], input, select, textarea, summary, [tabindex="0"]')
  const shown = [...all].filter(one => one.checkVisibility() && one.tabIndex >= 0 && !one.matches(':disabled'))
  for (const [index, one] of shown.entries()) one.dataset.stop = String(index)
  return shown.length
})()`

/** The focused element: its number, and whether its focus is visible. */
export const focused = `(() => {
  const one = document.activeElement
  return { stop: one.dataset.stop, ring: getComputedStyle(one).outlineStyle, html: one.outerHTML.slice(0, 80), text: one.textContent }
})()`

export interface FocusedElement {
  readonly stop?: string
  readonly ring: string
  readonly html: string
  readonly text: string
}
