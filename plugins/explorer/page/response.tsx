import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Tabs } from '../../pages/page/controls.js'
import { isRecord } from '../../pages/values/records.js'
import type { ListPlace } from '../builder/graphql/request.js'
import type { Answer } from './api.js'
import { Json } from './json.js'
import { answer, isAsking } from './store.js'

const tabs = [
  { value: 'pretty', label: 'Pretty' },
  { value: 'raw', label: 'Raw' },
  { value: 'headers', label: 'Headers' },
]

/** The part of a response that has to be in sight, in pixels. */
const leastSeen = 160

/** The response, and its cost. */
export function Response() {
  const tab = useSignal('pretty')
  const got = answer.value
  const place = useRef<HTMLElement>(null)
  // On a narrow page, whose parts stand below each other, a response would arrive unseen.
  useEffect(() => {
    if (got && place.current && place.current.getBoundingClientRect().top > innerHeight - leastSeen)
      place.current.scrollIntoView()
  }, [got])
  return (
    <section class="response" aria-label="Response" aria-busy={isAsking.value} ref={place}>
      <div class="response-head" role="status">
        {got ? <Figures got={got} /> : <h2>Response</h2>}
      </div>
      {got ? (
        <>
          <Tabs
            label="Shown as"
            panel="response-text"
            choices={tabs}
            value={tab.value}
            onChange={value => (tab.value = value)}
          />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and must do so by keyboard */}
          <div id="response-text" role="tabpanel" aria-label={tab.value} tabIndex={0}>
            {tab.value === 'pretty' && <Pretty got={got} />}
            {tab.value === 'raw' && <pre>{got.text}</pre>}
            {tab.value === 'headers' && (
              <dl class="headers">
                {got.headers.map(([name, value]) => (
                  <div key={name}>
                    <dt>{name}</dt>
                    <dd>{value}</dd>
                  </div>
                ))}
              </dl>
            )}
          </div>
        </>
      ) : (
        <p class="empty">
          Nothing sent yet. Choose what the request asks for, then <b>Send</b>: the response is shown here.
        </p>
      )}
    </section>
  )
}

function Figures({ got }: { got: Answer }) {
  const kind = got.status === 0 || got.status >= 500 ? 'bad' : got.status >= 400 ? 'poor' : 'good'
  return (
    <>
      <span class={`status ${kind}`}>
        {got.status || ''} {got.reason}
      </span>
      <span>{got.ms < 10 ? got.ms.toFixed(1) : Math.round(got.ms)} ms</span>
      <span>{sizeOf(got.bytes)}</span>
      {got.statements !== undefined && (
        <span>
          {got.statements} statement{got.statements === '1' ? '' : 's'}
        </span>
      )}
      <Count got={got} />
    </>
  )
}

const listOfRest: ListPlace = { entries: ['data'], total: ['meta', 'pagination', 'total'] }

function Count({ got: { body, list = listOfRest } }: { got: Answer }) {
  const [entries, total] = [at(body, list.entries), at(body, list.total)]
  if (!Array.isArray(entries)) return null
  return (
    <span>
      {entries.length}
      {typeof total === 'number' && ` of ${total}`} entries
    </span>
  )
}

const at = (body: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), body)

const sizeOf = (bytes: number): string => (bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} kB`)

function Pretty({ got }: { got: Answer }) {
  if (got.body === undefined) return <pre>{got.text === '' ? 'The response has no body.' : got.text}</pre>
  const error = isRecord(got.body) && isRecord(got.body.error) ? got.body.error : undefined
  return (
    <>
      {error && <Refusal error={error} status={got.status} />}
      {isRecord(got.body) && Array.isArray(got.body.errors) && <Failures errors={got.body.errors} />}
      <Json value={got.body} text={got.text} />
    </>
  )
}

/** An error in words, in place of data. */
function Refusal({ error, status }: { error: Readonly<Record<string, unknown>>; status: number }) {
  const details = isRecord(error.details) && Array.isArray(error.details.errors) ? error.details.errors : []
  const errors = details.filter(isRecord)
  return (
    <div class="refusal">
      <p>
        <b>{String(error.message)}</b>
      </p>
      {errors.length > 1 && (
        <ul>
          {errors.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              <Where path={path} message={String(message)} />
            </li>
          ))}
        </ul>
      )}
      {(status === 401 || status === 403) && (
        <p class="quiet">
          A role gets permissions in <code>config/permissions</code>; sign in above to send it with an account.
        </p>
      )}
    </div>
  )
}

/** Errors of GraphQL in words, above the data that there is. */
function Failures({ errors }: { errors: readonly unknown[] }) {
  const all = errors.filter(isRecord)
  return (
    <ul class="refusal" aria-label="Errors">
      {all.slice(0, 5).map(({ path, message }) => (
        <li key={`${path} ${message}`}>
          <Where path={path} message={String(message)} />
        </li>
      ))}
      {all.length > 5 && <li>and {all.length - 5} more</li>}
    </ul>
  )
}

/** The place of an error, unless its message begins with it. */
function Where({ path, message }: { path: unknown; message: string }) {
  const place = Array.isArray(path) ? path.join('.') : ''
  if (place === '' || message.startsWith(place)) return <>{message}</>
  return (
    <>
      <code>{place}</code> {message}
    </>
  )
}
