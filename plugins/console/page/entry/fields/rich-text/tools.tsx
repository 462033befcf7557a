import { useSignal } from '@preact/signals'
import type { Related } from '../../../../model/form/plain.js'
import type { Mark } from '../../../../model/markdown/marks.js'
import { canChooseFiles } from '../../../files/file-type.js'
import { lazy } from '../../../shell/lazy.js'
import { t } from '../../../text.js'

const ChooseFiles = lazy(() => import('../../../files/choose-files.js').then(part => part.ChooseFiles))

const marks = [
  { mark: 'bold', sign: 'B', key: 'b' },
  { mark: 'italic', sign: 'I', key: 'i' },
  { mark: 'heading', sign: 'H' },
  { mark: 'quote', sign: '“' },
  { mark: 'list', sign: '•' },
  { mark: 'numbers', sign: '≡' },
  { mark: 'code', sign: '<>' },
  { mark: 'link', sign: '↗', key: 'k' },
] as const satisfies readonly { mark: Mark; sign: string; key?: string }[]

/** The marks by the keys that set them, while Control is held. */
export const keys: Readonly<Record<string, Mark | undefined>> = Object.fromEntries(
  marks.flatMap(one => ('key' in one ? [[one.key, one.mark]] : [])),
)

/** The source, the preview, or both. */
export type View = 'text' | 'both' | 'preview'
const views: readonly View[] = ['text', 'both', 'preview']

interface ToolsProps {
  readonly label: string
  readonly isReadOnly: boolean
  readonly view: View
  readonly isFull: boolean
  readonly onMark: (mark: Mark) => void
  readonly onInsert: (files: readonly Related[]) => void
  readonly onView: (view: View) => void
  readonly onFull: () => void
}

/** The actions on a Markdown text, and its views. */
export function Tools({ label, isReadOnly, view, isFull, onMark, onInsert, onView, onFull }: ToolsProps) {
  const isChoosing = useSignal(false)
  const canMark = !isReadOnly && view !== 'preview'
  return (
    <div class="tools" role="toolbar" aria-label={t('richText.tools', { label })}>
      {canMark &&
        marks.map(({ mark, sign, ...rest }) => (
          <Tool
            key={mark}
            class={`mark-${mark}`}
            label={t(`richText.${mark}`)}
            sign={sign}
            keys={'key' in rest ? `Control+${rest.key.toUpperCase()}` : undefined}
            onDo={() => onMark(mark)}
          />
        ))}
      {canMark && canChooseFiles() && (
        <Tool
          label={t('richText.files')}
          sign="▧"
          onDo={() => {
            isChoosing.value = true
          }}
        />
      )}
      <span class="spread" />
      {views.map(one => (
        <button key={one} type="button" class="view" aria-pressed={one === view} onClick={() => onView(one)}>
          {t(`richText.view.${one}`)}
        </button>
      ))}
      <Tool label={t(isFull ? 'richText.leaveFull' : 'richText.full')} sign={isFull ? '↙' : '▣'} onDo={onFull} />
      {isChoosing.value && (
        <ChooseFiles
          label={label}
          many
          accepts={undefined}
          chosen={[]}
          onChoose={files => {
            isChoosing.value = false
            // The dialog gives the focus back first.
            setTimeout(() => onInsert(files))
          }}
          onClose={() => {
            isChoosing.value = false
          }}
        />
      )}
    </div>
  )
}

interface ToolProps {
  readonly label: string
  readonly sign: string
  readonly class?: string
  readonly keys?: string | undefined
  readonly onDo: () => void
}

const Tool = ({ label, sign, class: kind = '', keys, onDo }: ToolProps) => (
  <button
    type="button"
    class={`icon ${kind}`}
    aria-label={label}
    aria-keyshortcuts={keys}
    title={keys === undefined ? label : `${label} (${keys.replace('Control', 'Ctrl')})`}
    onClick={onDo}
  >
    <span aria-hidden="true">{sign}</span>
  </button>
)
