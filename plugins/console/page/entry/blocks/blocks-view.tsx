import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { withBlocks } from '../../../model/blocks/inserting.js'
import { linkAt, linked, unlinked } from '../../../model/blocks/looks.js'
import type { Cell } from '../../../model/form/cell.js'
import type { Related } from '../../../model/form/plain.js'
import { ChooseFiles } from '../../files/choose-files.js'
import { canChooseFiles } from '../../files/file-type.js'
import { t } from '../../text.js'
import { controlProps, type Frame } from '../fields/frame.js'
import { imageOf } from './image.js'
import { keyOf } from './keys.js'
import { LinkDialog } from './link-dialog.js'
import { Surface } from './surface.js'
import { Toolbar } from './toolbar.js'
import { useEditor } from './use-editor.js'

/** An editor of blocks: a page of text with its tools. */
export function BlocksView({ cell, frame }: { cell: Cell; frame: Frame }) {
  const place = useRef<HTMLDivElement>(null)
  const dialog = useSignal<'link' | 'image' | undefined>(undefined)
  const editor = useEditor(cell)
  const surface = useRef<Surface | null>(null)
  // A surface that listened later would miss what is typed before.
  useLayoutEffect(() => {
    if (!place.current) return undefined
    surface.current = new Surface(place.current, editor)
    return surface.current.start()
  }, [editor])
  useEffect(() => {
    // A label leads to controls of a form only.
    const label = document.querySelector(`label[for="${CSS.escape(frame.id)}"]`)
    const onClick = () => surface.current?.focus()
    label?.addEventListener('click', onClick)
    return () => label?.removeEventListener('click', onClick)
  }, [frame.id])
  const close = () => {
    dialog.value = undefined
    setTimeout(() => surface.current?.focus())
  }
  const ask = (what: 'link' | 'image') => {
    dialog.value = what
  }
  const hint = `${frame.id}-keys`
  const props = controlProps(frame)
  return (
    <div class="blocks-editor">
      {!frame.isReadOnly && (
        <Toolbar
          editor={editor}
          label={frame.label}
          controls={frame.id}
          canAddImage={canChooseFiles()}
          onLink={() => ask('link')}
          onImage={() => ask('image')}
          onDone={() => surface.current?.focus()}
        />
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a textarea has no marks */}
      <div
        {...props}
        ref={place}
        class="blocks"
        role="textbox"
        tabIndex={0}
        aria-multiline="true"
        aria-label={frame.label}
        aria-readonly={frame.isReadOnly}
        aria-describedby={[props['aria-describedby'], hint].filter(Boolean).join(' ')}
        contentEditable={!frame.isReadOnly}
        onKeyDown={event => keyOf(event, editor, () => ask('link'))}
      />
      <p class="quiet length" id={hint}>
        {!frame.isReadOnly && t('blocks.keys')}
      </p>
      {dialog.value === 'link' && (
        <LinkDialog
          url={linkAt(editor.state.peek())?.url as string | undefined}
          onClose={close}
          onSet={url => {
            editor.apply(state => linked(state, url))
            close()
          }}
          onRemove={() => {
            editor.apply(unlinked)
            close()
          }}
        />
      )}
      {dialog.value === 'image' && (
        <ChooseFiles
          label={frame.label}
          many
          accepts={['images']}
          chosen={noFiles}
          onClose={close}
          onChoose={files => {
            editor.apply(state => withBlocks(state, files.map(imageOf)))
            close()
          }}
        />
      )}
    </div>
  )
}

const noFiles: readonly Related[] = []
