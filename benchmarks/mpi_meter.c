/* Counts what each rank receives, and the processor time that it spends in MPI. Preloaded; it
   stands between a program and MPI through MPI's own profiling interface. After the run, rank 0
   writes one line per rank to the file that MPI_METER names: processor seconds outside MPI and
   inside, collective calls, bytes received. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double inside, calls, bytes;

static double processor_seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double size_of(MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  return size;
}

#define METERED(is_call, received, call)                               \
  const double begin = processor_seconds(CLOCK_THREAD_CPUTIME_ID);     \
  const int result = call;                                             \
  inside += processor_seconds(CLOCK_THREAD_CPUTIME_ID) - begin;        \
  calls += is_call;                                                    \
  bytes += received;                                                   \
  return result

int MPI_Allreduce(const void* sent, void* received, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm) {
  METERED(1, count * size_of(type), PMPI_Allreduce(sent, received, count, type, op, comm));
}

int MPI_Allgatherv(const void* sent, int sent_count, MPI_Datatype sent_type, void* received,
                   const int counts[], const int places[], MPI_Datatype type, MPI_Comm comm) {
  int ranks = 0, rank = 0;
  double others = 0;
  PMPI_Comm_size(comm, &ranks);
  PMPI_Comm_rank(comm, &rank);
  for (int r = 0; r < ranks; ++r) others += r == rank ? 0 : counts[r];
  METERED(1, others * size_of(type),
          PMPI_Allgatherv(sent, sent_count, sent_type, received, counts, places, type, comm));
}

int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  METERED(1, rank == root ? 0 : count * size_of(type),
          PMPI_Bcast(buffer, count, type, root, comm));
}

int MPI_Ineighbor_alltoallw(const void* sent, const int sent_counts[], const MPI_Aint sent_places[],
                            const MPI_Datatype sent_types[], void* received, const int counts[],
                            const MPI_Aint places[], const MPI_Datatype types[], MPI_Comm comm,
                            MPI_Request* request) {
  int from = 0, to = 0, weighted = 0;
  double all = 0;
  PMPI_Dist_graph_neighbors_count(comm, &from, &to, &weighted);
  for (int n = 0; n < from; ++n) all += counts[n] * size_of(types[n]);
  METERED(1, all,
          PMPI_Ineighbor_alltoallw(sent, sent_counts, sent_places, sent_types, received, counts,
                                   places, types, comm, request));
}

int MPI_Irecv(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
              MPI_Request* request) {
  METERED(0, count * size_of(type), PMPI_Irecv(buffer, count, type, source, tag, comm, request));
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  METERED(0, 0, PMPI_Waitall(count, requests, statuses));
}

int MPI_Finalize(void) {
  const double all = processor_seconds(CLOCK_PROCESS_CPUTIME_ID);
  const double own[4] = {all - inside, inside, calls, bytes};
  int rank = 0, ranks = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  double* const of_all = malloc(sizeof own * (size_t)ranks);
  PMPI_Gather(own, 4, MPI_DOUBLE, of_all, 4, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  const char* const name = getenv("MPI_METER");
  FILE* const out = rank == 0 && name ? fopen(name, "w") : NULL;
  for (int r = 0; out && r < ranks; ++r) {
    fprintf(out, "%.9g %.9g %.9g %.9g\n", of_all[4 * r], of_all[4 * r + 1], of_all[4 * r + 2],
            of_all[4 * r + 3]);
  }
  if (out) fclose(out);
  free(of_all);
  return PMPI_Finalize();
}
