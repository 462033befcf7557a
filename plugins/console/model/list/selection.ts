/** The chosen entries of a list: some, or all that match except for some, across all pages. */
export type Selection =
  | { readonly kind: 'some'; readonly ids: ReadonlySet<number> }
  | { readonly kind: 'all'; readonly except: ReadonlySet<number> }

export const nothingChosen: Selection = { kind: 'some', ids: new Set() }
export const allChosen: Selection = { kind: 'all', except: new Set() }

export const isChosen = (selection: Selection, id: number): boolean =>
  selection.kind === 'some' ? selection.ids.has(id) : !selection.except.has(id)

/** The selection with entries chosen, or not. */
export function choose(selection: Selection, ids: readonly number[], isOn: boolean): Selection {
  if (selection.kind === 'some') return { kind: 'some', ids: changed(selection.ids, ids, isOn) }
  return { kind: 'all', except: changed(selection.except, ids, !isOn) }
}

/** The number of chosen entries; undefined while the total is unknown. */
export function chosenCount(selection: Selection, total: number | undefined): number | undefined {
  if (selection.kind === 'some') return selection.ids.size
  return total === undefined ? undefined : Math.max(0, total - selection.except.size)
}

export const isEmpty = (selection: Selection): boolean => selection.kind === 'some' && selection.ids.size === 0

function changed(set: ReadonlySet<number>, ids: readonly number[], isIn: boolean): ReadonlySet<number> {
  const next = new Set(set)
  for (const id of ids) {
    if (isIn) next.add(id)
    else next.delete(id)
  }
  return next
}
