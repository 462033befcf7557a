import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'

/** How a page is looked at. */
export interface View {
  readonly scheme: 'light' | 'dark'
  readonly width: number
  readonly height: number
  /** Fingers in place of a mouse. */
  readonly hasTouch: boolean
  /** The first language of the browser. */
  readonly locale: string
}

export interface WatchedPage {
  readonly page: Page
  /** Violations by a page: of its policy, requests to other servers, and errors. */
  readonly wrongs: string[]
}

// The page's script is text, as it knows other names than the code compiled here.
const reportViolations = `document.addEventListener('securitypolicyviolation', event =>
  reportViolation(event.violatedDirective + ': ' + event.blockedURI))`

/** A page that is watched from its first byte on. */
export async function openPage(browser: Browser, url: string, view: Partial<View> = {}): Promise<WatchedPage> {
  const { scheme = 'light', width = 1500, height = 950, hasTouch = false, locale = 'en-US' } = view
  const context = await browser.newContext({ colorScheme: scheme, viewport: { width, height }, hasTouch, locale })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const wrongs: string[] = []
  const { origin } = new URL(url)
  page.on('request', request => {
    if (new URL(request.url()).origin !== origin) wrongs.push(`asked ${request.url()}`)
  })
  page.on('pageerror', error => wrongs.push(`failed: ${error.message}`))
  page.on('console', message => {
    if (isWrong(message.type(), message.text())) wrongs.push(message.text())
  })
  await page.exposeFunction('reportViolation', (directive: string) => wrongs.push(`broke ${directive}`))
  await page.addInitScript(reportViolations)
  await page.goto(url)
  return { page, wrongs }
}

/** A browser notes down every response that is an error, too, which is what some tests are about. */
const isWrong = (type: string, text: string): boolean =>
  /Content Security Policy|TrustedHTML|TrustedScript/.test(text) ||
  (type === 'error' && !text.startsWith('Failed to load resource'))

/** Checks again with every frame: a condition polled by the browser itself would be evaluated by the page, whose policy forbids that. */
export async function until(page: Page, condition: string): Promise<void> {
  while (!(await page.evaluate(condition))) await page.evaluate('new Promise(requestAnimationFrame)')
}

/** Nothing of a page is wider than its window. */
export async function assertFits(page: Page): Promise<void> {
  const [is, may] = await page.evaluate<[number, number]>('[document.documentElement.scrollWidth, innerWidth]')
  assert.ok(is <= may, `${is} of ${may} pixels`)
}
