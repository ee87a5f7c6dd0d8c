/** How keys are named on this machine. */
const apple = /mac|iphone|ipad/i.test(navigator.platform);

/** The command key's sign, to put before a letter. */
export const command = apple ? "⌘" : "Ctrl+";
