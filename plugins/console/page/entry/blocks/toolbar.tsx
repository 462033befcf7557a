import { useComputed } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { BlocksEditor } from '../../../model/blocks/editor.js'
import {
  type Direction,
  indented,
  type Kind,
  kindOf,
  kinds,
  shifted,
  turned,
  withLanguage,
} from '../../../model/blocks/kinds.js'
import { isMarked, linkAt, marked } from '../../../model/blocks/looks.js'
import { marks } from '../../../model/blocks/runs.js'
import { lineAt, type State } from '../../../model/blocks/state.js'
import { isRecord } from '../../../model/form/plain.js'
import { t } from '../../text.js'

const signs = { bold: 'B', italic: 'I', underline: 'U', strikethrough: 'S', code: '<>' }

interface ToolbarProps {
  readonly editor: BlocksEditor
  readonly label: string
  readonly controls: string
  readonly canAddImage: boolean
  readonly onLink: () => void
  readonly onImage: () => void
  readonly onDone: () => void
}

/** The tools of an editor: one stop for Tab, and arrows between them. */
export function Toolbar({ editor, label, controls, canAddImage, onLink, onImage, onDone }: ToolbarProps) {
  const bar = useRef<HTMLDivElement>(null)
  // Most keys change none of this.
  const shown = useComputed(() => JSON.stringify(aboutOf(editor.state.value)))
  const about = JSON.parse(shown.value) as ReturnType<typeof aboutOf>
  const isList = about.kind === 'ordered' || about.kind === 'unordered'
  useEffect(() => {
    // The tool that Tab stops at may be gone.
    const [first, ...others] = controlsIn(bar.current)
    if (first && ![first, ...others].some(({ tabIndex }) => tabIndex === 0)) first.tabIndex = 0
  })
  const apply = (edit: (state: State) => State) => editor.apply(edit)
  const tool = (name: string, sign: string, onClick: () => void, isPressed?: boolean) => (
    <button
      key={name}
      type="button"
      class={`icon tool-${name}`}
      aria-label={t(`blocks.${name}` as 'blocks.bold')}
      title={t(`blocks.${name}` as 'blocks.bold')}
      aria-pressed={isPressed}
      tabIndex={-1}
      // The selection stays where it is.
      onMouseDown={event => event.preventDefault()}
      onClick={onClick}
    >
      <span aria-hidden="true">{sign}</span>
    </button>
  )
  const move = (direction: Direction) => apply(state => shifted(state, direction))
  return (
    <div
      ref={bar}
      class="tools"
      role="toolbar"
      aria-label={t('richText.tools', { label })}
      aria-controls={controls}
      onKeyDown={event => onKey(event, bar.current, onDone)}
    >
      <select
        aria-label={t('blocks.kind')}
        value={about.kind ?? ''}
        onChange={event => apply(state => turned(state, event.currentTarget.value as Kind))}
      >
        {about.kind === null && <option value="">–</option>}
        {kinds.map(kind => (
          <option key={kind} value={kind}>
            {t(`blocks.kind.${kind}`)}
          </option>
        ))}
      </select>
      {marks.map((mark, at) =>
        tool(mark, signs[mark], () => apply(state => marked(state, mark)), about.marks[at] === true),
      )}
      {tool('link', '↗', onLink, about.isLink)}
      {canAddImage && tool('image', '▣', onImage)}
      {isList && tool('outdent', '⇤', () => apply(state => indented(state, false)))}
      {isList && tool('indent', '⇥', () => apply(state => indented(state, true)))}
      {tool('up', '▲', () => move('up'))}
      {tool('down', '▼', () => move('down'))}
      {tool('undo', '↶', () => editor.undo())}
      {tool('redo', '↷', () => editor.redo())}
      {about.language !== null && (
        <input
          class="code-language"
          type="text"
          tabIndex={-1}
          aria-label={t('blocks.language')}
          placeholder={t('blocks.language')}
          value={about.language}
          onChange={event => apply(state => withLanguage(state, event.currentTarget.value.trim()))}
        />
      )}
    </div>
  )
}

function aboutOf(state: State) {
  const line = lineAt(state, state.selection.focus.line)
  const kind = kindOf(line) ?? null
  const { language } = isRecord(line.node) ? line.node : {}
  return {
    kind,
    marks: marks.map(mark => isMarked(state, mark)),
    isLink: linkAt(state) !== undefined,
    language: kind === 'code' ? String(language ?? '') : null,
  }
}

const controlsIn = (bar: HTMLElement | null): readonly HTMLElement[] => [
  ...(bar?.querySelectorAll<HTMLElement>('select, button, input') ?? []),
]

function onKey(event: KeyboardEvent, bar: HTMLElement | null, onDone: () => void): void {
  const { target, key } = event
  if (key === 'Escape') {
    event.stopPropagation()
    onDone()
    return
  }
  // In a text, arrows move the caret.
  if (target instanceof HTMLInputElement && key !== 'Home' && key !== 'End') {
    const isEdge = key === 'ArrowLeft' && target.selectionStart === 0
    if (!isEdge) return
  }
  const controls = controlsIn(bar)
  const at = controls.indexOf(target as HTMLElement)
  const step = getComputedStyle(bar ?? document.body).direction === 'rtl' ? -1 : 1
  const to = { ArrowRight: at + step, ArrowLeft: at - step, Home: 0, End: controls.length - 1 }[key]
  if (to === undefined) return
  event.preventDefault()
  const next = controls[(to + controls.length) % controls.length]
  for (const control of controls) control.tabIndex = control === next ? 0 : -1
  next?.focus()
}
