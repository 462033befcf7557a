import { useRef } from 'preact/hooks'
import { acceptOf } from './file-type.js'

interface UploadButtonProps {
  readonly id?: string | undefined
  readonly label: string
  readonly many: boolean
  readonly accepts?: readonly string[] | undefined
  readonly onPick: (files: readonly File[]) => void
}

/** Opens the dialog of the browser that chooses files, or the camera of a phone. */
export function UploadButton({ id, label, many, accepts, onPick }: UploadButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <button type="button" class="button" id={id} onClick={() => input.current?.click()}>
        {label}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        tabIndex={-1}
        aria-label={label}
        multiple={many}
        accept={acceptOf(accepts)}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])]
          // The same file can be chosen again.
          currentTarget.value = ''
          onPick(files)
        }}
      />
    </>
  )
}
