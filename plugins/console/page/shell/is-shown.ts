import { useEffect, useRef } from 'preact/hooks'

/** Tells whether the component is still in the page: a response that comes later closes nothing that was opened since. */
export function useIsShown(): () => boolean {
  const isShown = useRef(true)
  useEffect(
    () => () => {
      isShown.current = false
    },
    [],
  )
  return () => isShown.current
}
