# PostgreSQL with pgvector, run by Patroni.
FROM docker.io/library/debian:trixie-slim
# The package must not create a default cluster, because Patroni creates the cluster.
RUN mkdir -p /etc/postgresql-common \
 && echo 'create_main_cluster = false' > /etc/postgresql-common/createcluster.conf \
 && apt-get update \
 && apt-get install -y --no-install-recommends patroni postgresql-17 postgresql-17-pgvector python3-etcd \
 && rm -rf /var/lib/apt/lists/* \
 && install -d -o postgres -g postgres -m 700 /data
COPY patroni.yml /etc/patroni/patroni.yml
COPY --chmod=755 create-database.sh /etc/patroni/create-database.sh
USER postgres
VOLUME /data
CMD ["patroni", "/etc/patroni/patroni.yml"]
