import { signal } from '@preact/signals'
import { isRecord } from '../../../pages/values/records.js'
import { changeLibrary } from '../files/library.js'
import { Upload } from '../files/uploads.js'
import type { DroppedFile } from './dropped.js'
import type { MediaStore } from './store.js'

/** Uploads of the library: they go on in other views, and stand here until they are dismissed. */
export const uploads = signal<readonly Upload[]>([])

/** Called when a file has come, or was changed: the library may be shown, or not. */
export const arrived = signal(0)

let batches = 0

/** Sends files to a folder; those that were dropped in folders get folders of these names. */
export async function uploadTo(
  store: MediaStore,
  files: readonly DroppedFile[],
): Promise<{ readonly failure?: string }> {
  const folder = store.view.peek().folder ?? null
  batches += 1
  const batch = batches
  const known = new Map<string, number | null>([['', folder]])
  for (const { way } of files) {
    const failure = await makeWay(store, known, way)
    if (failure !== undefined) return { failure }
  }
  const place = {
    onDone: () => {
      arrived.value += 1
    },
    onDescribed: () => {
      arrived.value += 1
    },
  }
  const fresh = files.map(
    ({ content, way }) => new Upload(content, batch, { ...place, folder: known.get(way.join('/')) ?? folder }),
  )
  uploads.value = [...uploads.peek(), ...fresh]
  return {}
}

/** Finds or makes the folders of a dropped folder; the sentence that stands against it. */
async function makeWay(
  store: MediaStore,
  known: Map<string, number | null>,
  way: readonly string[],
): Promise<string | undefined> {
  for (const [depth, name] of way.entries()) {
    const path = way.slice(0, depth + 1).join('/')
    if (known.has(path)) continue
    const parent = known.get(way.slice(0, depth).join('/')) ?? null
    const there = store.folders.peek()?.find(one => one.parent === parent && one.name === name)
    if (there) {
      known.set(path, there.id)
      continue
    }
    const made = await changeLibrary('POST', '/folders', { name, parent })
    if ('failure' in made) return made.failure
    known.set(path, isRecord(made.body) ? Number(made.body.id) : null)
    await store.readFolders()
  }
  return undefined
}

export function dismiss(upload: Upload): void {
  upload.stop()
  uploads.value = uploads.peek().filter(one => one !== upload)
}

/** Removes uploads that are done from the list. */
export function dismissDone(): void {
  uploads.value = uploads.peek().filter(({ state }) => state.peek() !== 'done')
}

// A page that is closed takes what is on its way with it.
addEventListener('beforeunload', event => {
  if (uploads.peek().some(upload => upload.isOnItsWay)) event.preventDefault()
})
