/** The styles of the text chat. A page sets the tokens `--roost-…` on the element or on anything around it. */
export const styles: string;
