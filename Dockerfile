# The server of docs/installation.md; run it behind a proxy that speaks TLS.
FROM python:3.13-slim AS build
WORKDIR /src
COPY constraints.txt pyproject.toml hatch_build.py README.md LICENSE ./
COPY croupier croupier
# The commit, which hatch_build.py writes into the package: the context has no checkout.
ARG CROUPIER_COMMIT
# uv verifies the hashes of constraints.txt; pip could not, as the package itself has none.
RUN pip install --no-cache-dir uv \
    && uv venv /opt/croupier \
    && uv pip install --no-cache --python /opt/croupier/bin/python --constraint constraints.txt '.[analysis,server]'

FROM python:3.13-slim
RUN useradd --system --create-home --home-dir /var/lib/croupier croupier
COPY --from=build /opt/croupier /opt/croupier
ENV PATH=/opt/croupier/bin:$PATH PYTHONUNBUFFERED=1
USER croupier
WORKDIR /var/lib/croupier
EXPOSE 8000
STOPSIGNAL SIGINT
HEALTHCHECK --interval=10s --timeout=3s CMD \
    ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/health/ready', timeout=2)"]
ENTRYPOINT ["croupier"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8000"]
