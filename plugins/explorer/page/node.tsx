import { Chip, Section } from '../../pages/page/controls.js'
import { dropped, toggled } from '../../pages/values/lists.js'
import type { LinkInfo, Model, TypeInfo } from '../builder/metadata.js'
import { emptyNode, type NodeState, type PopulateState } from '../builder/state.js'
import { Filters } from './filters.js'
import { Sorts } from './sorts.js'
import { model } from './store.js'

interface NodeProps {
  readonly type: TypeInfo
  readonly node: NodeState
  readonly onChange: (node: NodeState) => void
  /** The only fields of the type that are seen on this way. */
  readonly only?: readonly string[] | undefined
}

/** The parts of one level of a query, at the root. */
export function NodeParts({ type, node, onChange, lists, folded }: NodeProps & { lists: boolean; folded: boolean }) {
  const known = model.value
  if (!known) return null
  const populated = Object.keys(node.populate).length
  return (
    <>
      <Section title="Fields" note={node.fields.length > 0 ? `${node.fields.length} chosen` : 'all'} open={!folded}>
        <Fields type={type} node={node} onChange={onChange} />
      </Section>
      {known.links(type).length > 0 && (
        <Section title="Populate" note={populated > 0 ? `${populated} included` : 'none'} open={!folded}>
          <Populate type={type} node={node} onChange={onChange} depth={0} />
        </Section>
      )}
      {lists && (
        <>
          <Section title="Filters" note={node.filters.rows.length > 0 ? `${node.filters.rows.length}` : 'none'}>
            <Filters type={type} group={node.filters} onChange={filters => onChange({ ...node, filters })} />
          </Section>
          <Section title="Sort" note={node.sort.length > 0 ? `${node.sort.length}` : 'by id'}>
            <Sorts type={type} sort={node.sort} onChange={sort => onChange({ ...node, sort })} />
          </Section>
        </>
      )}
    </>
  )
}

function Fields({ type, node, onChange, only }: NodeProps) {
  const names = model.value?.fields(type, only).map(({ name }) => name) ?? []
  return (
    <fieldset class="chips" aria-label={`Fields of ${type.name}`}>
      {names.map(name => (
        <Chip
          key={name}
          label={name}
          pressed={node.fields.includes(name)}
          onToggle={() => onChange({ ...node, fields: toggled(node.fields, name) })}
        />
      ))}
      {node.fields.length > 0 && (
        <button type="button" class="text-button" onClick={() => onChange({ ...node, fields: [] })}>
          All fields
        </button>
      )}
    </fieldset>
  )
}

/** The populated links, as a tree: each branch has fields, branches, filters and an order of its own. */
function Populate({ type, node, onChange, depth }: NodeProps & { depth: number }) {
  const known = model.value
  if (!known) return null
  const links = known.links(type)
  const all = links.every(({ name }) => node.populate[name])
  const everything = Object.fromEntries(links.map(link => [link.name, node.populate[link.name] ?? start(known, link)]))
  return (
    <ul class="tree">
      {links.map(link => (
        <Branch key={link.name} link={link} type={type} node={node} onChange={onChange} depth={depth} />
      ))}
      {links.length > 1 && (
        <li>
          <button
            type="button"
            class="text-button"
            onClick={() => onChange({ ...node, populate: all ? {} : everything })}
          >
            {all ? 'Include nothing' : 'Include everything'}
          </button>
        </li>
      )}
    </ul>
  )
}

const start = (known: Model, link: LinkInfo): PopulateState => (known.isPlain(link) ? { node: emptyNode } : { on: {} })

function Branch({ link, type, node, onChange, depth }: NodeProps & { link: LinkInfo; depth: number }) {
  const known = model.value
  if (!known) return null
  const { name } = link
  const child = node.populate[name]
  const set = (next: PopulateState) => onChange({ ...node, populate: { ...node.populate, [name]: next } })
  const toggle = () =>
    onChange({
      ...node,
      populate: child ? dropped(node.populate, name) : { ...node.populate, [name]: start(known, link) },
    })
  const targets = known.targets(link)
  return (
    <li>
      <label class="check">
        <input type="checkbox" checked={child !== undefined} onChange={toggle} />
        {name}{' '}
        <span class="quiet">
          {link.many ? 'list of ' : ''}
          {link.targets ? targets.map(target => target.name).join(', ') : 'any type'}
        </span>
      </label>
      {child && known.isPlain(link) && targets[0] && (
        <Inner
          label={`${type.name}: ${name}`}
          type={targets[0]}
          node={'node' in child ? child.node : emptyNode}
          only={link.only}
          depth={depth + 1}
          many={link.many}
          onChange={inner => set({ node: inner })}
        />
      )}
      {child && !known.isPlain(link) && (
        <Varied label={`${type.name}: ${name}`} targets={targets} child={child} depth={depth + 1} onChange={set} />
      )}
    </li>
  )
}

/** A branch in which several types may stand: each is asked in its own way, and all of them where none is chosen. */
function Varied({
  label,
  targets,
  child,
  depth,
  onChange,
}: {
  label: string
  targets: readonly TypeInfo[]
  child: PopulateState
  depth: number
  onChange: (child: PopulateState) => void
}) {
  const on = 'on' in child ? child.on : {}
  return (
    <ul class="tree" aria-label={`${label}, by type`}>
      {targets.map(target => {
        const node = on[target.uid]
        const toggle = () => onChange({ on: node ? dropped(on, target.uid) : { ...on, [target.uid]: emptyNode } })
        return (
          <li key={target.uid}>
            <label class="check">
              <input type="checkbox" checked={node !== undefined} onChange={toggle} />
              {target.name} <span class="quiet">{target.uid}</span>
            </label>
            {node && (
              <Inner
                label={`${label}: ${target.name}`}
                type={target}
                node={node}
                depth={depth + 1}
                many={true}
                onChange={inner => onChange({ on: { ...on, [target.uid]: inner } })}
              />
            )}
          </li>
        )
      })}
    </ul>
  )
}

function Inner({
  label,
  type,
  node,
  onChange,
  only,
  depth,
  many,
}: NodeProps & {
  label: string
  depth: number
  many: boolean
}) {
  const known = model.value
  if (!known) return null
  const isAsked = node.fields.length + node.filters.rows.length + node.sort.length > 0
  const deeper = !only && depth < 6 && known.links(type).length > 0
  return (
    <details class="inner" open={isAsked || Object.keys(node.populate).length > 0}>
      <summary>
        fields{deeper ? ', populate' : ''}
        {many ? ', filters, sort' : ''}
        <span class="hidden"> of {label}</span>
      </summary>
      <Fields type={type} node={node} onChange={onChange} only={only} />
      {deeper && <Populate type={type} node={node} onChange={onChange} depth={depth} />}
      {many && (
        <>
          <Filters type={type} group={node.filters} only={only} onChange={filters => onChange({ ...node, filters })} />
          <Sorts type={type} sort={node.sort} only={only} onChange={sort => onChange({ ...node, sort })} />
        </>
      )}
    </details>
  )
}
