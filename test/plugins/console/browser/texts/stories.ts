import type { Page } from 'playwright-core'
import { generated } from '../../../../strapi4/project.js'
import { isSaved, status } from '../form.js'
import { servedConsole } from '../served.js'

const schema = {
  ...{ kind: 'collectionType', collectionName: 'stories', options: { draftAndPublish: false } },
  info: { singularName: 'story', pluralName: 'stories', displayName: 'Story' },
  attributes: { title: { type: 'string' }, body: { type: 'blocks' } },
}

/** A project that has a type with blocks as well. */
export const servedStories = () =>
  servedConsole({
    files: {
      'src/api/story/content-types/story/schema.json': JSON.stringify(schema),
      ...generated('api::story.story'),
    },
  })

/** The editor of the blocks. */
export const body = (page: Page) => page.getByRole('textbox', { name: 'body', exact: true })

/** Makes a story, and opens it. */
export async function openStory(page: Page, blocks: unknown): Promise<number> {
  const id = await page.evaluate<number, string>(
    async text => {
      const headers = { 'Content-Type': 'application/json' }
      const response = await fetch('/console/api/stories', { method: 'POST', headers, body: text })
      return ((await response.json()) as { data: { id: number } }).data.id
    },
    JSON.stringify({ data: { title: 'Bread', body: blocks } }),
  )
  await page.goto(`${new URL(page.url()).origin}/console/c/story/${id}`)
  await body(page).waitFor()
  return id
}

/** The blocks that the server has. */
export const storedBody = (page: Page, id: number): Promise<unknown> =>
  page.evaluate(async story => {
    const response = await fetch(`/console/api/stories/${story}`)
    return ((await response.json()) as { data: { attributes: { body: unknown } } }).data.attributes.body
  }, id)

/** Saves, and gives the blocks that the server has then. */
export async function saved(page: Page, id: number): Promise<unknown> {
  await status(page, 'not saved')
  await page.keyboard.press('Control+s')
  await isSaved(page)
  return storedBody(page, id)
}

/** Pastes what another program has put into the clipboard, where the focus is. */
export const paste = (page: Page, formats: Readonly<Record<string, string>>): Promise<void> =>
  page.evaluate(`(() => {
    const clipboardData = new DataTransfer()
    for (const [format, text] of Object.entries(${JSON.stringify(formats)})) clipboardData.setData(format, text)
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })()`)
