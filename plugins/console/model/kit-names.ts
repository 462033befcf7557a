/** Exports of `/console/kit/<major>.js` for modules: parts of Preact and of its signals, and controls of the page. */
const kitNames = [
  ...(['h', 'Fragment', 'render', 'useEffect', 'useId', 'useMemo', 'useRef', 'useState'] as const),
  ...(['signal', 'computed', 'effect', 'batch', 'useSignal'] as const),
  ...(['Button', 'Combobox', 'Dialog', 'Table'] as const),
] as const

export type KitName = (typeof kitNames)[number]

/** The page puts them there before it loads a module. */
export const kitPlace = 'stele.console.kit'

/** The module that hands them out: the page's own, so that there is one Preact. */
export const kitModule = (): string => `const kit = globalThis[Symbol.for('${kitPlace}')]
if (!kit) throw new Error('The kit is for modules that the console has loaded.')
export const { ${kitNames.join(', ')} } = kit
`
