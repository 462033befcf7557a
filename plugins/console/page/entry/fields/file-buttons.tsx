import type { Relation } from '../../../model/form/relation.js'
import { canChooseFiles, canUpload } from '../../files/file-type.js'
import { takesText } from '../../files/kinds.js'
import { UploadButton } from '../../files/upload-button.js'
import { t } from '../../text.js'

interface FileButtonsProps {
  /** That of the first button, where the label of the field leads. */
  readonly id: string
  readonly label: string
  readonly attribute: Relation['attribute']
  readonly onChoose: () => void
  readonly onUpload: (files: readonly File[]) => void
}

/** The ways to files of a field. */
export const FileButtons = ({ id, label, attribute: { many, accepts }, onChoose, onUpload }: FileButtonsProps) => (
  <div class="row">
    {canChooseFiles() && (
      <button type="button" class="button" id={id} onClick={onChoose}>
        {t('files.choose', { label })}
      </button>
    )}
    {canUpload() && (
      <UploadButton
        id={canChooseFiles() ? undefined : id}
        label={t('files.upload', { label })}
        many={many}
        accepts={accepts}
        onPick={onUpload}
      />
    )}
    <span class="quiet">
      {takesText(accepts)} {canUpload() && t('files.drop')}
    </span>
  </div>
)
