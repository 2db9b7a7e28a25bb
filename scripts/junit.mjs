// Writes test results as a JUnit report, which scripts/test.sh counts.

/**
 * @param {{ name: string, seconds: number, failure?: string }[]} trials results; failed ones have a reason
 * @returns {string} the text of the report
 */
export function junit(trials) {
  const lines = trials.map(({ name, seconds, failure }) => {
    const said = failure === undefined ? "" : `<failure message="${escaped(failure)}" />`;
    return `<testcase name="${escaped(name)}" time="${seconds.toFixed(1)}">${said}</testcase>`;
  });
  return `<testsuites>\n${lines.join("\n")}\n</testsuites>\n`;
}

/** @param {string} text */
function escaped(text) {
  return text.replace(/[<>&"]/g, (/** @type {string} */ letter) => `&#${letter.charCodeAt(0)};`);
}
