import type { CDPSession, Page } from 'playwright-core'
import sharp from 'sharp'

export interface Dropped {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

/** A picture of one colour. */
export const picture = async (name: string, width = 40): Promise<Dropped> => ({
  name,
  mimeType: 'image/png',
  buffer: await sharp({ create: { width, height: 30, channels: 3, background: '#3a6' } })
    .png()
    .toBuffer(),
})
/** A text of this many bytes. */
export const text = (name: string, size = 10): Dropped => ({
  ...{ name, mimeType: 'text/plain' },
  buffer: Buffer.alloc(size, 'a line of text\n'),
})

// The page's script is text, as it knows other names than the code compiled here.
const giveFiles = `(([target, files, how]) => {
  const data = new DataTransfer()
  for (const { name, mimeType, text } of files) {
    const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0))
    data.items.add(new File([bytes], name, { type: mimeType }))
  }
  const given = { bubbles: true, cancelable: true }
  const event = how === 'drop'
    ? new DragEvent('drop', { ...given, dataTransfer: data })
    : new ClipboardEvent('paste', { ...given, clipboardData: data })
  document.querySelector(target).dispatchEvent(event)
})`

/** Lets go files of another program above a field, or pastes them into it. */
export async function give(page: Page, label: string, how: 'drop' | 'paste', files: readonly Dropped[]): Promise<void> {
  const id = await page.getByRole('group', { name: label, exact: true }).getAttribute('aria-labelledby')
  await giveTo(page, `[aria-labelledby="${id}"]`, how, files)
}

/** The same with what a selector finds. */
export async function giveTo(page: Page, target: string, how: 'drop' | 'paste', files: readonly Dropped[]) {
  const sent = files.map(({ buffer, ...rest }) => ({ ...rest, text: buffer.toString('base64') }))
  await page.locator(target).first().waitFor()
  await page.evaluate(`${giveFiles}(${JSON.stringify([target, sent, how])})`)
}

/** Has a page send this many bytes in a second; 0 is as fast as it can. */
export async function sendSlowly(session: CDPSession, bytes: number): Promise<void> {
  await session.send('Network.emulateNetworkConditions', {
    ...{ offline: false, latency: 0, downloadThroughput: -1 },
    uploadThroughput: bytes === 0 ? -1 : bytes,
  })
}
