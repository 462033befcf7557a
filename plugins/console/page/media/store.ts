import { computed, effect, signal } from '@preact/signals'
import type { Folder } from '../../model/files/folders.js'
import { filesOnPage, type MediaView, mediaViewIn, mediaViewText } from '../../model/files/view.js'
import type { Related } from '../../model/form/plain.js'
import { canChooseFiles } from '../files/file-type.js'
import { listFiles, listFolders } from '../files/library.js'
import { address, go } from '../shell/address.js'
import { addressOfMedia } from '../shell/routes.js'

/** The library while it is shown: what its address says, and what the server has of it. */
export class MediaStore {
  readonly view = computed(() => mediaViewIn(address.value.search))
  readonly folders = signal<readonly Folder[] | undefined>(undefined)
  readonly files = signal<readonly Related[] | undefined>(undefined)
  readonly hasMore = signal(false)
  readonly isLoading = signal(true)
  readonly isFailed = signal(false)
  /** The folders could not be read: those that were known before are shown. */
  readonly areFoldersFailed = signal(false)
  readonly chosen = signal<ReadonlySet<number>>(new Set())
  /** The folder that is shown; undefined for all files. */
  readonly folder = computed(() => this.folders.value?.find(({ id }) => id === this.view.value.folder))
  /** The path of a folder is known with the folders. */
  readonly #isPlaceKnown = computed(() => this.view.value.folder === undefined || this.folders.value !== undefined)
  #asked = new AbortController()

  /** Follows the address; the result ends that. */
  start(): () => void {
    void this.readFolders()
    const stop = effect(() => {
      void this.view.value
      if (!this.#isPlaceKnown.value) return
      this.chosen.value = new Set()
      void this.read()
    })
    return () => {
      stop()
      this.#asked.abort()
    }
  }

  change(change: Partial<MediaView>): void {
    const view: MediaView = { ...this.view.peek(), from: 0, ...change }
    go(addressOfMedia + mediaViewText(view), { isSame: true })
  }

  async readFolders(): Promise<void> {
    const found = canChooseFiles() ? await listFolders() : []
    this.areFoldersFailed.value = found === undefined
    if (found) this.folders.value = found
  }

  async read(): Promise<void> {
    this.#asked.abort()
    const asked = new AbortController()
    this.#asked = asked
    const { text, kind, isMissing, order, from, folder } = this.view.peek()
    // A folder that is gone has no files.
    const path = folder === undefined ? undefined : (this.folders.peek()?.find(({ id }) => id === folder)?.path ?? '')
    this.isLoading.value = true
    const found = await listFiles({
      ...{ text, isMissing, order, path, from, count: filesOnPage, signal: asked.signal },
      ...(kind && { kinds: [kind] }),
    })
    if (asked.signal.aborted) return
    this.isLoading.value = false
    this.isFailed.value = found === undefined
    const files = found?.slice(0, filesOnPage) ?? []
    this.files.value = files
    this.chosen.value = new Set(files.flatMap(({ id }) => (this.chosen.peek().has(id) ? [id] : [])))
    this.hasMore.value = (found?.length ?? 0) > filesOnPage
  }

  /** Reads all again, as something was changed. */
  async refresh(): Promise<void> {
    // The path of the folder that is shown may be another one.
    await this.readFolders()
    if (this.#isPlaceKnown.peek()) await this.read()
  }

  know(file: Related): void {
    this.files.value = this.files.peek()?.map(one => (one.id === file.id ? file : one))
  }

  choose(id: number, isOn: boolean): void {
    const chosen = new Set(this.chosen.peek())
    if (isOn) chosen.add(id)
    else chosen.delete(id)
    this.chosen.value = chosen
  }
}
