import type { FileDiff } from '../../model/schema.js'
import { t } from '../text.js'

const kinds = { '+': 'put', '-': 'out', ' ': undefined } as const

/** The changed places of a file. */
export function Difference({ file: { path, change, places } }: { file: FileDiff }) {
  const title = t(`schema.file.${change}`, { path })
  return (
    <div class="schema-difference">
      <h3>{title}</h3>
      {places.map((lines, index) => (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than the screen is scrolled by keys, too
        <section key={index} aria-label={t('schema.place', { path, count: index + 1 })} tabIndex={0}>
          <pre dir="ltr">
            {lines.map(({ sign, text }, line) => (
              <span key={line} class={kinds[sign]}>{`${sign} ${text}`}</span>
            ))}
          </pre>
        </section>
      ))}
    </div>
  )
}
