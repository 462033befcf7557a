import { useSignal } from '@preact/signals'
import type { AttributeInfo, Model, RouteInfo, TypeInfo } from '../builder/metadata.js'
import { model, select, selected } from './store.js'

/** The types, and the rules of the one that is selected. */
export function Sidebar() {
  const known = model.value
  const sought = useSignal('')
  if (!known) return null
  const word = sought.value.trim().toLowerCase()
  const isFound = ({ name, uid }: TypeInfo) => word === '' || `${name} ${uid}`.toLowerCase().includes(word)
  const found = known.served.filter(isFound)
  const type = known.type(selected.value)
  return (
    <aside class="side" aria-label="What there is">
      <nav aria-label="Content types">
        {known.served.length > 8 && (
          <input
            type="search"
            aria-label="Find a type"
            placeholder="Find a type"
            value={sought.value}
            onInput={event => (sought.value = event.currentTarget.value)}
          />
        )}
        <Group title="Collections" types={found.filter(({ kind }) => kind === 'collectionType')} known={known} />
        <Group title="Single entries" types={found.filter(({ kind }) => kind === 'singleType')} known={known} />
        {found.length === 0 && <p class="empty">No type has that name.</p>}
      </nav>
      {type && <Rules type={type} known={known} />}
      <Others known={known} />
    </aside>
  )
}

function Group({ title, types, known }: { title: string; types: readonly TypeInfo[]; known: Model }) {
  if (types.length === 0) return null
  return (
    <>
      <h2>{title}</h2>
      <ul class="types">
        {types.map(({ uid, name, path }) => (
          <li key={uid}>
            <button type="button" aria-current={uid === selected.value} onClick={() => select(uid)}>
              <span>{name}</span>
              {known.can('find', uid) ? (
                <span class="path">{path}</span>
              ) : (
                <span class="path closed">no permission to read</span>
              )}
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

function Rules({ type, known }: { type: TypeInfo; known: Model }) {
  const parts = type.attributes.flatMap(attribute =>
    attribute.kind === 'link' && attribute.embedded ? (attribute.targets ?? []) : [],
  )
  const components = [...new Set(parts)].flatMap(uid => known.type(uid) ?? [])
  return (
    <section aria-labelledby="rules">
      <h2 id="rules">{type.name}: attributes</h2>
      {type.description && <p class="quiet">{type.description}</p>}
      <Attributes type={type} known={known} />
      {components.map(component => (
        <details class="component" key={component.uid}>
          <summary>
            {component.name} <span class="path">{component.uid}</span>
          </summary>
          <Attributes type={component} known={known} />
        </details>
      ))}
    </section>
  )
}

function Attributes({ type, known }: { type: TypeInfo; known: Model }) {
  return (
    <dl class="attributes">
      {type.attributes.map(attribute => (
        <div key={attribute.name} class={attribute.readable ? '' : 'hidden-attribute'}>
          <dt>{attribute.name}</dt>
          <dd>
            <span class="kind">{kindOf(attribute, known)}</span>
            {rulesOf(attribute).map(rule => (
              <span class="rule" key={rule}>
                {rule}
              </span>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function kindOf(attribute: AttributeInfo, known: Model): string {
  if (attribute.kind === 'field') return attribute.type
  const targets = attribute.targets?.map(uid => known.type(uid)?.name ?? uid).join(', ') ?? 'any type'
  return `${attribute.relation ?? attribute.type} → ${targets}${attribute.many && !attribute.relation ? ' (list)' : ''}`
}

function rulesOf(attribute: AttributeInfo): string[] {
  const { required, private: hidden, added, localized, min, max, writable } = attribute
  const field = attribute.kind === 'field' ? attribute : undefined
  const rules = [
    required && 'required',
    field?.unique && 'unique',
    hidden ? 'private' : !attribute.readable && 'never shown',
    localized && 'localized',
    !writable && !added && 'read-only',
    field?.enum?.join(' | '),
    field?.minLength !== undefined && `at least ${field.minLength} characters`,
    field?.maxLength !== undefined && `at most ${field.maxLength} characters`,
    min !== undefined && `from ${min}`,
    max !== undefined && `to ${max}`,
    field?.regex && `/${field.regex}/`,
    field?.default !== undefined && field.default !== null && `default ${JSON.stringify(field.default)}`,
    attribute.kind === 'link' && attribute.accepts?.join(', '),
  ]
  return rules.filter(rule => typeof rule === 'string' && rule !== '') as string[]
}

/** The endpoints of plugins: they are listed, and not built. */
function Others({ known }: { known: Model }) {
  const { routes, plugins } = known.meta
  if (routes.length === 0) return null
  return (
    <details class="others">
      <summary>
        <h2>Other endpoints</h2> <span class="note">{routes.length}</span>
      </summary>
      {[undefined, ...plugins.map(({ name }) => name)].map(plugin => (
        <Routes key={plugin ?? ''} plugin={plugin} routes={routes.filter(route => route.plugin === plugin)} />
      ))}
    </details>
  )
}

function Routes({ plugin, routes }: { plugin: string | undefined; routes: readonly RouteInfo[] }) {
  if (routes.length === 0) return null
  return (
    <>
      <h3>{plugin ?? 'server'}</h3>
      <ul class="routes">
        {routes.map(({ method, path, describe }) => (
          <li key={`${method} ${path}`}>
            <code>
              <b>{method}</b> {path}
            </code>
            {describe && <span class="quiet">{describe}</span>}
          </li>
        ))}
      </ul>
    </>
  )
}
