#!/bin/sh
# The main job on sample_docs/: ingest, verify, crop. Results go to out/.
set -eu
cd "$(dirname "$0")/.."
rm -rf out
mkdir out

echo "== ingest"
pagewitness ingest sample_docs --db out/grounding.db

echo "== verify"
pagewitness verify sample_docs/requests/annual-report-grounded.json --db out/grounding.db \
    --format summary
pagewitness verify sample_docs/requests/annual-report-problems.json --db out/grounding.db \
    --format summary --exit-zero
pagewitness verify sample_docs/requests/annual-report-grounded.json --db out/grounding.db \
    --out out/report.json
pagewitness verify sample_docs/requests/annual-report-grounded.json --db out/grounding.db \
    --format html --out out/report.html

echo "== crop"
pagewitness crop --report out/report.json --db out/grounding.db --out-dir out/crops
ls out out/crops
echo "open out/report.html in a browser"
