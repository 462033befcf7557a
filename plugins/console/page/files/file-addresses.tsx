import { isRecord } from '../../../pages/values/records.js'
import type { Related } from '../../model/form/plain.js'
import { say } from '../shell/messages.js'
import { t } from '../text.js'
import { fileName } from './file-type.js'
import { sizeText } from './size.js'

interface Address {
  readonly name: string
  readonly about: string
  readonly url: string
}

/** The addresses of a file and of its smaller formats, to be copied, and to be downloaded from. */
export function Addresses({ file }: { file: Related }) {
  return (
    <section>
      <h3>{t('files.addresses')}</h3>
      <ul class="addresses" aria-label={t('files.addresses')}>
        {addressesOf(file).map(({ name, about, url }) => (
          <li key={name}>
            <span>
              {name} <span class="quiet">{about}</span>
            </span>
            <span class="spread" />
            <button
              type="button"
              class="text-button"
              aria-label={t('files.copy', { name })}
              onClick={() => void copy(url)}
            >
              {t('files.copyShort')}
            </button>
            <a
              href={url}
              download={fileName(file)}
              target="_blank"
              aria-label={t('files.download', { name })}
              rel="noopener"
            >
              {t('files.downloadShort')}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

function addressesOf({ values }: Related): readonly Address[] {
  const formats = isRecord(values.formats) ? Object.entries(values.formats) : []
  return [[t('files.original'), values] as const, ...formats].flatMap(([name, one]) => {
    if (!isRecord(one) || typeof one.url !== 'string') return []
    const { width, height, size } = one
    const pixels = width && height ? `${width}×${height}, ` : ''
    // Sizes are kept in units of a thousand bytes.
    const about = `${pixels}${sizeText(Number(size ?? 0) * 1000)}`
    return [{ name, about, url: new URL(one.url, location.href).href }]
  })
}

async function copy(url: string): Promise<void> {
  const isCopied = await navigator.clipboard.writeText(url).then(
    () => true,
    () => false,
  )
  say(isCopied ? t('items.copied', { title: url }) : t('files.notCopied', { url }))
}
