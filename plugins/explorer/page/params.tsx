import { useId } from 'preact/hooks'
import { Labelled, Section, Select } from '../../pages/page/controls.js'
import type { ParamInfo } from '../builder/metadata.js'
import type { CursorState, PageState } from '../builder/state.js'
import { change, cursors, model, query, state, turnTo } from './store.js'

export function Search() {
  const id = useId()
  const built = state.value
  return (
    <div class="row">
      <label for={id}>Search</label>
      <input
        id={id}
        type="search"
        placeholder="in all text fields (_q)"
        maxLength={1000}
        value={built.search}
        onInput={event => change({ ...built, search: event.currentTarget.value })}
      />
      {model.value?.type(built.uid)?.searched && (
        <label>
          <input
            type="checkbox"
            checked={built.highlight}
            onChange={event => change({ ...built, highlight: event.currentTarget.checked })}
          />{' '}
          Mark what is found
        </label>
      )}
    </div>
  )
}

const forms = [
  { value: 'page', label: 'number and size' },
  { value: 'offset', label: 'start and limit' },
  { value: 'cursor', label: 'beside an entry' },
]

export function Pages() {
  const built = state.value
  const paging = model.value?.meta.paging
  const { page } = built
  const set = (part: Partial<PageState>) => change({ ...built, page: { ...page, ...part } })
  if (!paging) return null
  if (!paging.withPopulate && query.value.populate !== undefined)
    return (
      <Section title="Page">
        <p class="quiet">This server takes no page together with populate.</p>
      </Section>
    )
  return (
    <Section title="Page" note={`${paging.defaultLimit} entries, at most ${paging.maxLimit ?? 'all'}`}>
      <div class="row">
        <Select
          label="How the page is chosen"
          value={page.form === 'default' ? '' : page.form}
          placeholder="first page"
          choices={forms}
          onChange={form => set({ form: form === '' ? 'default' : (form as PageState['form']) })}
        />
        {page.form !== 'default' && <Numbers page={page} set={set} />}
        {page.form === 'cursor' && <Turns />}
        <Labelled label="Total">
          {id => (
            <select
              id={id}
              value={page.withCount === undefined ? '' : String(page.withCount)}
              onChange={({ currentTarget: { value } }) => {
                const { withCount: _, ...rest } = page
                change({ ...built, page: value === '' ? rest : { ...rest, withCount: value === 'true' } })
              }}
            >
              <option value="">
                {page.form === 'cursor' ? 'not counted' : `${paging.withCount ? 'counted' : 'not counted'} (as set)`}
              </option>
              <option value="true">counted</option>
              <option value="false">not counted</option>
            </select>
          )}
        </Labelled>
      </div>
      {page.form === 'cursor' && isSearchedByIndex() && query.value.sort === undefined && (
        <p class="quiet">Pages beside an entry are sorted by id, not by the best match.</p>
      )}
    </Section>
  )
}

const isSearchedByIndex = (): boolean =>
  query.value._q !== undefined && model.value?.type(state.value.uid)?.searched !== undefined

/** Buttons that send the request for the pages beside the one that is shown. */
function Turns() {
  const { next, previous } = cursors.value
  const turns: readonly (readonly [string, CursorState['key'], string | undefined])[] = [
    ['First page', 'after', ''],
    ['Previous page', 'before', previous],
    ['Next page', 'after', next],
    ['Last page', 'before', ''],
  ]
  return (
    <fieldset class="row" aria-label="Pages beside an entry">
      {turns.map(([label, key, text]) => (
        <button
          type="button"
          class="button"
          key={label}
          // A disabled button would lose the focus at the end of the list.
          aria-disabled={text === undefined}
          onClick={() => text !== undefined && void turnTo(key, text)}
        >
          {label}
        </button>
      ))}
    </fieldset>
  )
}

function Numbers({ page, set }: { page: PageState; set: (part: Partial<PageState>) => void }) {
  const [first, most] = page.form === 'page' ? ['Page', 'Size'] : ['Start', 'Limit']
  const isBeside = page.form === 'cursor'
  const number = (value: string, min: number, onChange: (value: string) => void) => (id: string) => (
    <input
      id={id}
      type="number"
      min={min}
      max={999_999_999}
      value={value}
      onInput={event => onChange(event.currentTarget.value)}
    />
  )
  return (
    <>
      {!isBeside && (
        <Labelled label={first as string}>
          {number(page.number, page.form === 'page' ? 1 : 0, value => set({ number: value }))}
        </Labelled>
      )}
      <Labelled label={most as string}>{number(page.size, 1, value => set({ size: value }))}</Labelled>
    </>
  )
}

/** Parameters of plugins: locale, state, and others. */
export function Params({ params }: { params: readonly ParamInfo[] }) {
  return (
    <div class="params">
      {params.map(param => (
        <Parameter key={param.name} param={param} />
      ))}
    </div>
  )
}

function Parameter({ param }: { param: ParamInfo }) {
  const built = state.value
  const choices = model.value?.choices(param)
  const { name, describe } = param
  const value = built.params[name] ?? ''
  const set = (text: string) => change({ ...built, params: { ...built.params, [name]: text } })
  const about = useId()
  return (
    <div class="row">
      <Labelled label={name}>
        {id =>
          choices ? (
            <select id={id} aria-describedby={about} value={value} onChange={event => set(event.currentTarget.value)}>
              <option value="">not sent</option>
              {choices.map(choice => (
                <option key={choice}>{choice}</option>
              ))}
            </select>
          ) : (
            <input id={id} aria-describedby={about} value={value} onInput={event => set(event.currentTarget.value)} />
          )
        }
      </Labelled>
      <span class="quiet" id={about}>
        {describe}
      </span>
    </div>
  )
}
