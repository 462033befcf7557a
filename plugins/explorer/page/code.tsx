import { useSignal } from '@preact/signals'
import { Tabs } from '../../pages/page/controls.js'
import type { Problem } from '../builder/data.js'
import { clientOf, curlOf, plainOf, queryBodyOf } from '../builder/texts.js'
import { requestOf } from '../builder/url.js'
import { Differences, RunButton, Variables, variablesOf } from './graphql.js'
import { graphqlRequest, model, query, session, state, written } from './store.js'

/** The request in the form of other programs, updated live. */
export function Code({ problems }: { problems: readonly Problem[] }) {
  const tab = useSignal('url')
  const copied = useSignal<string | undefined>(undefined)
  const texts = textsOf()
  const shown = texts.find(({ value }) => value === tab.value) ?? texts[0]
  if (!shown) return null
  const graphql = shown.value === 'graphql' ? graphqlRequest.value : undefined
  const variables = graphql ? variablesOf(graphql) : ''
  const isCopied = copied.value === shown.text || (variables !== '' && copied.value === variables)
  const copy = async (text: string) => {
    await navigator.clipboard.writeText(text)
    copied.value = text
  }
  return (
    <section class="code-panel" aria-label="The request in other words">
      <div class="row">
        <Tabs
          label="Written as"
          panel="request-text"
          choices={texts}
          value={shown.value}
          onChange={value => (tab.value = value)}
        />
        <span class="spread" />
        <span role="status" class="quiet">
          {isCopied ? 'copied' : ''}
        </span>
        {graphql && <RunButton request={graphql} />}
        <button type="button" class="text-button" onClick={() => void copy(shown.text)}>
          Copy
        </button>
      </div>
      {graphql && <Differences request={graphql} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and must do so by keyboard */}
      <div id="request-text" class={shown.value} role="tabpanel" aria-label={shown.label} tabIndex={0}>
        <pre>
          <code>{shown.text}</code>
        </pre>
        {variables !== '' && <Variables text={variables} onCopy={() => void copy(variables)} />}
      </div>
      {problems.length > 0 && (
        <ul class="problems" aria-label="What the server will not take">
          {problems.slice(0, 5).map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              <code>{path}</code> {message}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

interface Text {
  readonly value: string
  readonly label: string
  readonly text: string
}

function textsOf(): readonly Text[] {
  const known = model.value
  const built = state.value
  const type = known?.type(built.uid)
  if (!known || !type) return []
  const data = written.value?.data
  const request = {
    origin: location.origin,
    query: query.value,
    hasToken: session.value !== undefined,
    ...(data !== undefined && { data }),
  }
  const texts = [
    { value: 'url', label: 'URL', text: plainOf(requestOf(known, built, request)) },
    { value: 'curl', label: 'curl', text: curlOf(known, built, request) },
    { value: 'client', label: 'Client', text: clientOf(known, built, request) },
  ]
  const text = queryBodyOf(known, built, request)
  const graphql = graphqlRequest.value
  return [
    ...texts,
    ...(text === undefined ? [] : [{ value: 'body', label: 'Query body', text }]),
    ...(graphql ? [{ value: 'graphql', label: 'GraphQL', text: graphql.document }] : []),
  ]
}
