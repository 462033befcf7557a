import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Dialog } from '../../../pages/page/dialog.js'
import type { Related } from '../../model/form/plain.js'
import { LinkGroups } from '../entry/link-groups.js'
import { type LinkGroup, linksTo } from '../entry/links.js'
import { useIsShown } from '../shell/is-shown.js'
import { t } from '../text.js'
import { Addresses } from './file-addresses.js'
import { FileForm } from './file-form.js'
import { canDescribe, fileName, fileUid } from './file-type.js'
import { readFile } from './library.js'
import './file-dialog.css'

interface FileDialogProps {
  readonly file: Related
  readonly onChange: (file: Related) => void
  readonly onClose: () => void
}

/** A file with its texts, its addresses, and what uses it. */
export function FileDialog({ file, onChange, onClose }: FileDialogProps) {
  const current = useSignal<Related | undefined>(undefined)
  const links = useSignal<readonly LinkGroup[] | undefined>(undefined)
  const problem = useSignal<string | undefined>(undefined)
  const isShown = useIsShown()
  useEffect(() => {
    void readFile(file).then(found => {
      if ('file' in found) current.value = found.file
      else problem.value = found.status === 404 ? t('files.notYours') : found.failure
    })
    void linksTo({ uid: fileUid }, file.id).then(found => {
      links.value = found
    })
  }, [])
  const know = (changed: Related) => {
    current.value = changed
    onChange(changed)
  }
  return (
    <Dialog title={fileName(file)} closeLabel={t('close')} onClose={onClose}>
      <div class="file-dialog">
        {problem.value !== undefined && (
          <p class="problem" role="alert">
            {problem.value}
          </p>
        )}
        {current.value && (
          <>
            <FileForm
              file={current.value}
              isReadOnly={!canDescribe()}
              onReplaced={know}
              onSaved={saved => {
                know(saved)
                if (isShown()) onClose()
              }}
            />
            <Addresses file={current.value} />
            {links.value && (
              <section>
                <h3>{t('files.usedBy')}</h3>
                <LinkGroups groups={links.value} label={t('files.usedBy')} />
              </section>
            )}
          </>
        )}
      </div>
    </Dialog>
  )
}
