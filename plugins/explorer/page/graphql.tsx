import type { GraphqlRequest } from '../builder/graphql/request.js'
import { isAsking, runGraphql } from './store.js'

/** Sends the document in place of the request; it is off while the document asks for something else. */
export function RunButton({ request }: { request: GraphqlRequest }) {
  return (
    <button
      type="button"
      class="button"
      disabled={isAsking.value || request.missing.length > 0}
      onClick={() => void runGraphql(request)}
    >
      Run
    </button>
  )
}

/** The parts of the request that the document does not have, and the differences of its response. */
export function Differences({ request: { document, missing, notes } }: { request: GraphqlRequest }) {
  return (
    <>
      {missing.length > 0 && (
        <div class="hint" role="note">
          {document === ''
            ? 'There is no document for the request:'
            : 'The document leaves out parts of the request, and is not run:'}
          <Sentences of={missing} label="Parts that are left out" />
        </div>
      )}
      {notes.length > 0 && <Sentences of={notes} label="Differences of the response" />}
    </>
  )
}

const Sentences = ({ of, label }: { of: readonly string[]; label: string }) => (
  <ul class="sentences" aria-label={label}>
    {of.map(sentence => (
      <li key={sentence}>{sentence}</li>
    ))}
  </ul>
)

/** The values of the document's variables as JSON; an empty text where it has none. */
export const variablesOf = ({ variables }: GraphqlRequest): string =>
  Object.keys(variables).length > 0 ? JSON.stringify(variables, null, 2) : ''

export const Variables = ({ text, onCopy }: { text: string; onCopy: () => void }) => (
  <>
    <div class="row variables">
      <span class="quiet">Variables</span>
      <button type="button" class="text-button" onClick={onCopy} aria-label="Copy variables">
        Copy
      </button>
    </div>
    <pre>
      <code>{text}</code>
    </pre>
  </>
)
