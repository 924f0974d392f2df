# SPDX-License-Identifier: Apache-2.0
# Alibaba's batch jobs of 2017, as CloudSimPy publishes them, as a table of stages for the simulator:
#   awk -v machine=131072 -f src/simulator/import/alibaba-2017.awk jobs.csv > alibaba.csv
# A task of a job becomes a stage, an instance of the task a task of the stage. The file has memory as a part
# of a machine: machine says how much that is, in MB. The first task tells when a job is submitted.
BEGIN {
  FS = OFS = ","
  if (machine !~ /^[1-9][0-9]*$/) {
    print "machine = '" machine "': allowed is a number of MB, as in -v machine=131072" > "/dev/stderr"
    exit 1
  }
}
NR == 1 {
  for (i = 1; i <= NF; i++) {
    column[$i] = i
  }
  split("job_id,submit_time,instances_num,duration,memory", wanted)
  for (i in wanted) {
    if (!(wanted[i] in column)) {
      print FILENAME " has no column " wanted[i] > "/dev/stderr"
      exit 1
    }
  }
  print "application,submit,tasks,seconds,memory"
  next
}
{
  job = $column["job_id"]
  if (!(job in submitted)) {
    submitted[job] = $column["submit_time"]
  }
  print job, submitted[job], $column["instances_num"], sprintf("%.3f", $column["duration"]),
      int($column["memory"] * machine) + 1
}
