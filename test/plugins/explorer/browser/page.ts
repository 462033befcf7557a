import { strict as assert } from 'node:assert'
import { spawnSync } from 'node:child_process'
import type { Page } from 'playwright-core'
import { until } from '../../../support/pages/watched-page.js'

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
