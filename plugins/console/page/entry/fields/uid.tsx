import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { isDone } from '../../../../pages/page/request.js'
import { isRecord } from '../../../../pages/values/records.js'
import type { Cell } from '../../../model/form/cell.js'
import { ask } from '../../api.js'
import { t } from '../../text.js'
import { useEntry } from '../context.js'
import { FieldFrame, useFrame } from './frame.js'
import type { FieldProps } from './props.js'
import { Line, textIn } from './text.js'

/** Milliseconds without a key after which the server is asked whether a value is free. */
const pause = 300

/** A part of an address: made from another field, and free or taken. */
export function UidField(props: FieldProps<Cell>) {
  const { item, node, name, layout } = props
  const { store, form } = useEntry()
  const frame = useFrame(props)
  const source = item.cell(node.attribute.madeFrom ?? '')
  const offers = store.type.options.uid && item === form.root && !frame.isReadOnly
  const propose = async (data: Readonly<Record<string, unknown>>): Promise<string | undefined> => {
    const locale = store.locale.peek()
    const body = { data: { ...data, ...(locale !== null && { locale }) } }
    const reply = await ask({ method: 'POST', url: store.requests.uid(), body })
    const found = isDone(reply) && isRecord(reply.body) && isRecord(reply.body.data) ? reply.body.data[name] : undefined
    return typeof found === 'string' ? found : undefined
  }
  return (
    <FieldFrame
      frame={frame}
      isRequired={node.attribute.required}
      beside={
        offers &&
        source && (
          <Make cell={node} source={source} label={frame.label} from={labelOf(props, source)} propose={propose} />
        )
      }
    >
      <Line cell={node} frame={frame} placeholder={layout?.placeholder} />
      {offers && <Free cell={node} name={name} propose={propose} />}
    </FieldFrame>
  )
}

type Propose = (data: Readonly<Record<string, unknown>>) => Promise<string | undefined>

function labelOf({ item }: FieldProps<Cell>, source: Cell): string {
  const { store } = useEntry()
  const { name } = source.attribute
  return store.kinds.of(item.uid)?.layout.fields[name]?.label ?? name
}

interface MakeProps {
  readonly cell: Cell
  readonly source: Cell
  readonly label: string
  readonly from: string
  readonly propose: Propose
}

/**
 * Makes the value from another field, and follows that field in a new entry until the value was typed. A value that a form begins with
 * is as one that was typed: an entry that is stored once more keeps its address.
 */
function Make({ cell, source, label, from, propose }: MakeProps) {
  const { store, form } = useEntry()
  const made = useRef('')
  const text = textIn(source)
  const make = async (isMeant = () => true) => {
    const before = cell.value.peek()
    const found = await propose({ [source.attribute.name]: source.value.peek() })
    // A value that was typed meanwhile stays.
    if (found === undefined || cell.value.peek() !== before || !isMeant()) return
    made.current = found
    cell.value.value = found
  }
  const isFollowing = form.isNew.value && textIn(cell) === made.current && source.changes.value > 0
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  const making = useRef(Promise.resolve())
  // With the text in the page, as it may be saved with the next key.
  useLayoutEffect(() => {
    if (!isFollowing || text === '') return
    const follow = () => {
      clearTimeout(waiting.current)
      waiting.current = undefined
      making.current = make(() => form.isNew.peek())
      return making.current
    }
    waiting.current = setTimeout(() => void follow(), pause)
    // An entry that is saved at once has the value as well.
    const settle = () => (waiting.current === undefined ? making.current : follow())
    store.beforeSave.add(settle)
    return () => {
      clearTimeout(waiting.current)
      store.beforeSave.delete(settle)
    }
  }, [text, isFollowing])
  return (
    <button
      type="button"
      class="text-button"
      disabled={text === ''}
      aria-label={t('uid.makeFor', { label, from })}
      onClick={() => void make()}
    >
      {t('uid.make', { from })}
    </button>
  )
}

function Free({ cell, name, propose }: { cell: Cell; name: string; propose: Propose }) {
  const said = useSignal<{ readonly of: string; readonly free: string } | undefined>(undefined)
  const text = textIn(cell)
  const isChanged = cell.changes.value > 0 && text !== '' && cell.parsed.value.problem === undefined
  useEffect(() => {
    if (!isChanged) return
    const waiting = setTimeout(async () => {
      const free = await propose({ [name]: text })
      if (free !== undefined) said.value = { of: text, free }
    }, pause)
    return () => clearTimeout(waiting)
  }, [text, isChanged])
  const known = isChanged && said.value?.of === text ? said.value : undefined
  const isTaken = known !== undefined && known.free !== text
  return (
    <p class={isTaken ? 'problem' : 'quiet'} role="status">
      {known && (isTaken ? t('uid.taken', { free: known.free }) : t('uid.free'))}
    </p>
  )
}
