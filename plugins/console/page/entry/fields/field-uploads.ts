import { effect, signal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { type Arriving, arrivalOf, rowsWith } from '../../../model/files/arriving.js'
import type { Item } from '../../../model/form/item.js'
import type { Related } from '../../../model/form/plain.js'
import type { Relation } from '../../../model/form/relation.js'
import { fileName } from '../../files/file-type.js'
import { Upload } from '../../files/uploads.js'
import { say } from '../../shell/messages.js'
import { t } from '../../text.js'
import type { EntryStore } from '../store/store.js'
import type { FieldProps } from './props.js'

type UploadField = Pick<FieldProps<Relation>, 'node' | 'item' | 'name'>

const known = new WeakMap<Relation, FieldUploads>()

/** The uploads of a field that is shown: those on their way to it arrive in the next form of the entry, too. */
export function useUploads(field: UploadField, store: EntryStore): FieldUploads {
  const { node: relation } = field
  const former = useRef<FieldUploads>(undefined)
  if (former.current && !known.has(relation)) {
    former.current.goOnIn(relation)
    known.set(relation, former.current)
  }
  former.current = uploadsOf(field, store)
  return former.current
}

/** The uploads of a field, which go on while it is out of sight; the form is saved with them. */
function uploadsOf(field: UploadField, store: EntryStore): FieldUploads {
  const { node, item, name } = field
  const found = known.get(node)
  if (found) return found
  const uploads = new FieldUploads(node, store.arriving)
  known.set(node, uploads)
  // A field that is out of sight when the form is made anew is known by its place.
  effect(() => {
    const next = store.form.value && relationAt(store.form.value.root, item.key, name)
    if (!next || known.has(next)) return
    uploads.goOnIn(next)
    known.set(next, uploads)
  })
  store.beforeSave.add(() => uploads.settle())
  return uploads
}

function relationAt(item: Item, key: string, name: string): Relation | undefined {
  if (item.key === key) return item.relation(name)
  const lists = [...item.nodes.values()].filter(node => node.kind === 'items')
  const items = lists.flatMap(list => list.items.peek())
  return items.map(inner => relationAt(inner, key, name)).find(found => found !== undefined)
}

/** Files on their way to a field, and those that have come to it since the form was opened. */
export class FieldUploads {
  readonly all = signal<readonly Upload[]>([])
  #relation: Relation
  #batches = 0

  /** The set of all uploads on their way to the form has those to this field. */
  constructor(relation: Relation, arriving: EntryStore['arriving']) {
    this.#relation = relation
    let before: readonly Upload[] = []
    effect(() => {
      const now = this.all.value.filter(upload => upload.isOnItsWay)
      const others = [...arriving.peek()].filter(one => !before.some(upload => upload === one))
      before = now
      arriving.value = new Set([...others, ...now])
    })
  }

  /** The form of the entry is another one by now. */
  goOnIn(relation: Relation): void {
    this.#relation = relation
  }

  add(contents: readonly File[]): void {
    const { many, accepts } = this.#relation.attribute
    if (contents.length === 0) return
    this.#batches += 1
    const place = {
      accepts,
      onDone: (upload: Upload) => this.#place(upload),
      onDescribed: (file: Related) => this.#relation.know(file),
    }
    const taken = many ? contents : contents.slice(0, 1)
    const fresh = taken.map(content => new Upload(content, this.#batches, place))
    if (taken.length < contents.length) say(t('files.onlyOne', { name: taken[0]?.name ?? '' }))
    // A field for one file has one on its way at most.
    for (const upload of many ? [] : this.all.peek()) upload.stop()
    this.all.value = many ? [...this.all.peek(), ...fresh] : fresh
  }

  remove(upload: Upload): void {
    upload.stop()
    this.all.value = this.all.peek().filter(one => one !== upload)
  }

  /** Waits until nothing is on its way any more. */
  async settle(): Promise<void> {
    const sent = this.all.peek().filter(upload => upload.isOnItsWay)
    if (sent.length > 0) say(t('files.saveWaits', { count: sent.length }))
    await Promise.all(sent.map(upload => upload.ended))
  }

  #place({ key, file }: Upload): void {
    const arrived = file.peek()
    if (!arrived) return
    const relation = this.#relation
    const title = fileName(arrived)
    const arriving = this.all
      .peek()
      .map(one => (one.key === key ? { ...arrivingFrom(one), file: undefined } : arrivingFrom(one)))
    const rows = rowsWith(relation.entries.peek(), arriving)
    if (relation.attribute.many) relation.insert(arrived, arrivalOf(rows, key), title)
    else relation.choose([arrived], title)
    say(t('items.added', { title }))
  }
}

interface ArrivingFile extends Arriving {
  readonly upload: Upload
}

const arrivingFrom = (upload: Upload): ArrivingFile => ({
  ...{ key: upload.key, batch: upload.batch, upload },
  file: upload.file.peek(),
})

/** The files on their way as they are shown; readers follow their changes. */
export function arrivingOf({ all }: FieldUploads): readonly ArrivingFile[] {
  return all.value.map(upload => ({ ...arrivingFrom(upload), file: upload.file.value }))
}
